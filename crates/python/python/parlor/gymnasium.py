"""Games as Gymnasium environments: solitary games, and games against a seated opponent.

>>> from parlor import gymnasium
>>> env = gymnasium.make("tictactoe", opponent="random")
>>> observation, info = env.reset(seed=1)
>>> observation["observation"].shape, int(info["action_mask"].sum())
((9,), 9)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from parlor import _native
from parlor._games import Game, Table, open
from parlor._runs import AgentLike

__all__ = ["Env", "make"]


def make(
    game: str | Game,
    *,
    opponent: AgentLike | None = None,
    seat: int | str = "random",
    illegal: str = "raise",
    render_mode: str | None = None,
) -> Env:
    """Makes an environment of a game. In a game with two seats, `opponent` has the other one; `seat` is 0, 1 or drawn for each match.

    An illegal action raises `parlor.ParlorError` (`illegal="raise"`) or ends the match with the lowest payoff (`illegal="lose"`, which
    `gymnasium.utils.env_checker.check_env` needs: it acts without looking at masks).
    """
    return Env(game, opponent=opponent, seat=seat, illegal=illegal, render_mode=render_mode)


class Env(gymnasium.Env):  # type: ignore[misc]
    """A game from one seat.

    Observations have `observation`, the symbols of what the seat sees (uint8, shape `(game.cells,)`), and `action_mask` (int8, shape
    `(game.actions,)`), which is also in the infos. The reward is the payoff at the end of a match, and 0 before.
    """

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}

    def __init__(
        self,
        game: str | Game,
        *,
        opponent: AgentLike | None = None,
        seat: int | str = "random",
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.game = open(game)
        if illegal not in ("lose", "raise"):
            raise ValueError("illegal is 'lose' or 'raise'")
        if seat not in ("random", *range(self.game.seats)):
            raise ValueError(f"seat is 'random' or a number below {self.game.seats}")
        if self.game.seats > 1 and opponent is None:
            raise ValueError(f"{self.game.name} has two seats: who has the other one? Name an opponent")
        if self.game.seats == 1 and opponent is not None:
            raise ValueError(f"{self.game.name} has one seat, so there is no opponent")
        self.opponent, self.seat, self.illegal, self.render_mode = opponent, seat, illegal, render_mode
        most = len(self.game.symbols) - 1
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, most, (self.game.cells,), np.uint8),
                "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.game.actions)
        self.table: Table | None = None
        self.own = 0

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Returns true for every number that may be chosen; sb3-contrib asks for it by this name."""
        table = self._playing()
        if table.mover == self.own and not table.is_over:
            return table.mask()
        return np.zeros(self.game.actions, dtype=np.bool_)

    def _playing(self) -> Table:
        if self.table is None:
            raise RuntimeError("call reset() first")
        return self.table

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray[Any, Any]], dict[str, Any]]:
        """Begins a match. The opponent moves until the own seat has to decide."""
        super().reset(seed=seed)
        while True:
            self.own = int(self.np_random.integers(self.game.seats)) if self.seat == "random" else int(self.seat)
            self.table = self.game.table(seed=int(self.np_random.integers(2**63)))
            if self.opponent is not None:
                self.table.seat(1 - self.own, self.opponent)
            self._let_opponent_act()
            # A match that ends before the own seat has a choice is no episode.
            if not self.table.is_over:
                return self._observation(), self._info()

    def _let_opponent_act(self) -> None:
        table = self._playing()
        while table.mover not in (None, self.own):
            try:
                table.agent_act()
            except _native.AgentFault:
                break

    def step(
        self, action: int
    ) -> tuple[dict[str, np.ndarray[Any, Any]], float, bool, bool, dict[str, Any]]:
        """Carries out an action, and what the opponent answers."""
        table = self._playing()
        number = int(action)
        if self.illegal == "lose" and not (0 <= number < self.game.actions and self.action_masks()[number]):
            return self._observation(), self.game.payoff_range[0], True, False, self._info()
        table.act(number, self.own)
        self._let_opponent_act()
        if self.render_mode == "human":
            self.render()
        payoffs = table.payoffs if table.is_over else None
        reward = payoffs[self.own] if payoffs else 0.0
        return self._observation(), reward, table.is_over, False, self._info()

    def _observation(self) -> dict[str, np.ndarray[Any, Any]]:
        return {"observation": self._playing().cells(self.own), "action_mask": self.action_masks().astype(np.int8)}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def render(self) -> str | None:
        """Returns a drawing of what the own seat sees (`ansi`), or prints it (`human`)."""
        if self.render_mode is None:
            return None
        text = self._playing().draw(self.own)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None
