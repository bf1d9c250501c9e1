"""OpenSpiel's method names for a table, so that code written for `pyspiel` runs on these games.

States are sandboxes: algorithms that look at chance and at every seat need nothing hidden from them. `resample_from_infostate` gives a
state that a player cannot tell from the present one.

>>> from parlor import openspiel
>>> state = openspiel.load_game("tictactoe").new_initial_state()
>>> state.apply_action(4)
>>> state.current_player(), len(state.legal_actions()), state.is_terminal()
(1, 8, False)
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor._games import Game as ParlorGame
from parlor._games import Table, open

__all__ = ["Game", "PlayerId", "State", "load_game"]


class PlayerId(enum.IntEnum):
    """Who is to act, where it is not a player."""

    CHANCE = -1
    TERMINAL = -4


def _enum(path: str, name: str) -> Any:
    """Returns a value of one of pyspiel's enumerations, or its name if pyspiel is not installed."""
    try:
        import pyspiel
    except ImportError:
        return name
    return getattr(getattr(pyspiel.GameType, path), name)


def load_game(spec: str) -> Game:
    """Opens a game by its spec."""
    return Game(open(spec))


class Game:
    """A game with OpenSpiel's method names."""

    def __init__(self, game: ParlorGame) -> None:
        self.game = game

    def new_initial_state(self) -> State:
        """Returns the state before anything has happened."""
        return State(self, self.game.sandbox())

    def num_players(self) -> int:
        """Returns the number of seats."""
        return self.game.seats

    def num_distinct_actions(self) -> int:
        """Returns how many numbers actions have."""
        return self.game.actions

    def min_utility(self) -> float:
        """Returns the lowest payoff."""
        return self.game.payoff_range[0]

    def max_utility(self) -> float:
        """Returns the highest payoff."""
        return self.game.payoff_range[1]

    def utility_sum(self) -> float | None:
        """Returns what payoffs add up to: 0 with two seats."""
        return 0.0 if self.game.seats == 2 else None

    def observation_tensor_shape(self) -> list[int]:
        """Returns the shape of observations."""
        return [self.game.cells]

    def observation_tensor_size(self) -> int:
        """Returns the number of elements of an observation."""
        return self.game.cells

    def policy_tensor_shape(self) -> list[int]:
        """Returns the shape of a policy."""
        return [self.game.actions]

    def get_type(self) -> Any:
        """Returns what kind of game it is, with pyspiel's enumerations if it is installed."""
        information = "PERFECT_INFORMATION" if self.game.is_open else "IMPERFECT_INFORMATION"
        has_chance = self.game.name in ("dominoes", "darkchess", "minesweeper")
        return SimpleNamespace(
            short_name=self.game.name,
            long_name=self.game.spec,
            dynamics=_enum("Dynamics", "SEQUENTIAL"),
            chance_mode=_enum("ChanceMode", "EXPLICIT_STOCHASTIC" if has_chance else "DETERMINISTIC"),
            information=_enum("Information", information),
            utility=_enum("Utility", "ZERO_SUM" if self.game.seats == 2 else "GENERAL_SUM"),
            reward_model=_enum("RewardModel", "TERMINAL"),
            max_num_players=self.game.seats,
            min_num_players=self.game.seats,
            provides_information_state_string=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )

    def __str__(self) -> str:
        return self.game.spec


class State:
    """A state with OpenSpiel's method names. Chance outcomes are numbered in the order of the game's list."""

    def __init__(self, game: Game, table: Table, history: tuple[tuple[int, int], ...] = ()) -> None:
        self._game = game
        self.table = table
        self._history = history

    def get_game(self) -> Game:
        """Returns the game."""
        return self._game

    def num_players(self) -> int:
        """Returns the number of seats."""
        return self._game.num_players()

    def current_player(self) -> int:
        """Returns the seat to move, or a `PlayerId`."""
        if self.table.is_over:
            return int(PlayerId.TERMINAL)
        mover = self.table.mover
        return int(PlayerId.CHANCE) if mover is None else mover

    def is_terminal(self) -> bool:
        """Returns whether the match is over."""
        return self.table.is_over

    def is_chance_node(self) -> bool:
        """Returns whether chance is to act."""
        return self.table.is_chance

    def is_player_node(self) -> bool:
        """Returns whether a seat is to move."""
        return self.table.mover is not None

    def is_simultaneous_node(self) -> bool:
        """Returns false: seats never move at once."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Returns the numbers of what the player may do, ascending."""
        if self.is_chance_node():
            return [number for number, _ in self.chance_outcomes()] if player in (None, PlayerId.CHANCE) else []
        if player is not None and player != self.table.mover:
            return []
        return sorted(self.table.numbers)

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """Returns 1 for every number that the player may choose, and 0 for the others."""
        legal = set(self.legal_actions(player))
        return [int(number in legal) for number in range(self._game.num_distinct_actions())]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns what chance may do and how likely each is."""
        return [(number, odds) for number, (_, odds) in enumerate(self.table.chances())]

    def apply_action(self, action: int) -> None:
        """Carries out an action of the seat to move, or of chance."""
        player = self.current_player()
        if self.is_chance_node():
            self.table.replay(self.table.chances()[int(action)][0])
        else:
            self.table.act(int(action))
        self._history = (*self._history, (player, int(action)))

    def child(self, action: int) -> State:
        """Returns the state after an action."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> State:
        """Returns a copy."""
        return State(self._game, self.table.copy(), self._history)

    def __deepcopy__(self, _: dict[int, Any]) -> State:
        return self.clone()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """Returns a state that a player cannot tell from this one; `sampler` returns random numbers from 0 to 1."""
        return State(self._game, self.table.imagine(player, int(sampler() * 2**53)))

    def returns(self) -> list[float]:
        """Returns what each seat got; zeros before the end."""
        return self.table.payoffs or [0.0] * self.num_players()

    def rewards(self) -> list[float]:
        """Returns what each seat has just got."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """Returns what a seat got."""
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        """Returns what a seat has just got."""
        return self.returns()[player]

    def history(self) -> list[int]:
        """Returns the numbers of all actions, those of chance included."""
        return [action for _, action in self._history]

    def full_history(self) -> list[Any]:
        """Returns all actions with who took them."""
        return [SimpleNamespace(player=player, action=action) for player, action in self._history]

    def history_str(self) -> str:
        """Returns the numbers of all actions as a text."""
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        """Returns how many actions there were."""
        return len(self._history)

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """Returns the text of an action."""
        if action is None:
            player, action = self.current_player(), player
        if player == PlayerId.CHANCE:
            return self.table.chances()[action][0]
        text = self._game.game.action_text(action)
        if text is None:
            raise ValueError(f"{self._game} has no action {action}")
        return text

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """Returns the number of a legal action that a text means."""
        wanted = player if text is None else text
        return self.table.numbers[self.table.actions.index(str(wanted))]

    def information_state_string(self, player: int | None = None) -> str:
        """Returns everything that a player has seen, in order, and what it sees now."""
        seat = self._player(player)
        seen = " ".join(f"{'c' if actor is None else actor}:{text}" for actor, text in self.table.seen(seat))
        return f"{seat}|{self.observation_string(seat)}|{seen}"

    def observation_string(self, player: int | None = None) -> str:
        """Returns what a player sees."""
        return self.table.draw(self._player(player))

    def observation_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        """Returns the symbols of what a player sees, as numbers from 0 to 1."""
        cells = self.table.cells(self._player(player)).astype(np.float32)
        return cells / np.float32(max(1, len(self._game.game.symbols) - 1))

    def _player(self, player: int | None) -> int:
        chosen = self.current_player() if player is None else player
        return max(0, chosen)

    def __str__(self) -> str:
        return self.table.draw(self._player(None))
