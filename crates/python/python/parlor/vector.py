"""Thousands of matches in one call, as arrays.

>>> import numpy as np
>>> from parlor import vector
>>> env = vector.make("connect(width=7, height=6)", 4, seed=1)
>>> env.cells.shape, env.masks.shape, env.movers
((4, 42), (4, 7), array([0, 0, 0, 0], dtype=uint8))
>>> rewards, over = env.step(np.full(4, 3))
>>> env.movers
array([1, 1, 1, 1], dtype=uint8)

With an opponent, an agent has the other seat of all matches and answers within the step:

>>> env = vector.make("connect(width=7, height=6)", 4, seed=1, opponent="alphabeta(depth=2)", seat=0)
>>> rewards, over = env.step(np.full(4, 3))
>>> env.movers, rewards.shape
(array([0, 0, 0, 0], dtype=uint8), (4,))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlor import _native
from parlor._agents import _split
from parlor._games import Game, open
from parlor._runs import AgentLike, _threads

Show = Literal["cells", "planes", "masks", "movers"]
_SHOW: tuple[Show, ...] = ("cells", "masks", "movers")


def make(
    game: str | Game,
    matches: int,
    *,
    seed: int = 0,
    show: Sequence[Show] = _SHOW,
    opponent: AgentLike | None = None,
    seat: int | str = "random",
    threads: int | None = None,
) -> VectorEnv:
    """Makes `matches` matches of a game that are stepped together. `show` says which arrays are kept up to date.

    `opponent` has the other seat of each match: any agent that sees what its seat sees, one in Python too. `seat` is the own one: 0, 1
    or drawn for each match. The agent decides on `threads` threads (all cores); results do not depend on their number.
    """
    return VectorEnv(game, matches, seed=seed, show=show, opponent=opponent, seat=seat, threads=threads)


class VectorEnv:
    """Matches of one game that are stepped together.

    Chance acts by itself, and a match that is over begins anew within the same step. The arrays belong to the environment and are
    overwritten by the next step: copy what you keep. They show what the seat to move sees and may do:

    | array | dtype and shape | |
    |---|---|---|
    | `movers` | uint8, `(n,)` | the seat to move |
    | `cells` | uint8, `(n, game.cells)` | the symbol of each cell |
    | `planes` | uint8, `(n, symbols, rows, columns)` | for each symbol 1 in the cells of the grid that show it |
    | `masks` | bool, `(n, game.actions)` | what it may do |
    | `rewards` | float32, `(n, game.seats)` | what each seat got, where the match ended with the last step |
    | `over` | bool, `(n,)` | whether the match ended with the last step |

    Playing *k* of match *i* depends on the seed, *i* and *k* alone, not on the number of matches.

    With an opponent, `movers` is the own seat, `rewards` has the shape `(n,)`: what the own seat got, and a match begins anew until the
    own seat has a decision. Before each decision the agent is told what its seat has seen in the match: it keeps nothing else, neither
    from match to match nor what it computed for its last decision. An agent that misbehaves forfeits the match, and `forfeits` counts.
    """

    def __init__(
        self,
        game: str | Game,
        matches: int,
        *,
        seed: int = 0,
        show: Sequence[Show] = _SHOW,
        opponent: AgentLike | None = None,
        seat: int | str = "random",
        threads: int | None = None,
    ) -> None:
        self.game = open(game)
        if not 1 <= matches <= 10_000_000:
            raise ValueError("the number of matches is from 1 to 10,000,000")
        unknown = set(show) - {"cells", "planes", "masks", "movers"}
        if unknown:
            raise ValueError(f"show has {unknown.pop()!r}; there are cells, planes, masks, movers")
        if "planes" in show and self.game.beside:
            raise ValueError(f"{self.game.name} has cells beside the grid, which planes leave out: show cells")
        if seat not in ("random", *range(self.game.seats)):
            raise ValueError(f"seat is 'random' or a number below {self.game.seats}")
        self.num_envs = matches
        if opponent is None:
            self._batch = _native.Batch(self.game._native, matches, seed)
        else:
            (spec,), guests = _split([opponent])
            own = None if seat == "random" else int(seat)
            self._batch = _native.Batch(
                self.game._native, matches, seed, opponent=spec, guests=guests, seat=own, threads=_threads(threads)
            )
            self._batch.reset(seed)
        #: The full form of the agent that has the other seat.
        self.opponent = self._batch.opponent
        rows, columns = self.game.grid
        symbols = len(self.game.symbols)

        def array(name: Show, *shape: int) -> NDArray[np.uint8]:
            return np.zeros((matches, *shape) if name in show else (0, *shape), dtype=np.uint8)

        self.movers = array("movers")
        self.cells = array("cells", self.game.cells)
        self.planes = array("planes", symbols, rows, columns)
        masks = array("masks", self.game.actions)
        self.masks: NDArray[np.bool_] = masks.view(np.bool_)
        shape = (matches, self.game.seats) if opponent is None else (matches,)
        self.rewards: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)
        over = np.zeros(matches, dtype=np.uint8)
        self.over: NDArray[np.bool_] = over.view(np.bool_)
        self._flat_over = over
        self._flat_rewards = self.rewards.reshape(-1)
        self._picks = np.zeros(matches, dtype=np.uint32)
        shown = {"movers": self.movers, "cells": self.cells, "planes": self.planes, "masks": masks}
        self._shown = {name: shown[name].reshape(-1) for name in show}
        self._batch.show(**self._shown)

    def reset(self, seed: int = 0) -> None:
        """Begins all matches anew."""
        self._batch.reset(seed)
        self.rewards[:] = 0
        self.over[:] = False
        self._batch.show(**self._shown)

    def step(self, actions: ArrayLike) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Carries out one action in each match, given by its number. Returns `rewards` and `over`.

        If one of them is not legal, nothing happens in any match. If Ctrl-C ends a step with an opponent, some matches have gone on and
        others have not: `reset` begins them anew.
        """
        numbers = np.ascontiguousarray(actions)
        if numbers.dtype != np.uint32:
            if not np.issubdtype(numbers.dtype, np.integer):
                raise TypeError(f"actions are whole numbers, not {numbers.dtype}")
            # What is negative becomes too large, and is refused with a sentence.
            numbers = numbers.astype(np.uint32)
        if numbers.shape != (self.num_envs,):
            raise ValueError(f"one action for each match: shape ({self.num_envs},), not {numbers.shape}")
        self._batch.step(numbers, self._flat_rewards, self._flat_over)
        self._batch.show(**self._shown)
        return self.rewards, self.over

    def sample(self) -> NDArray[np.uint32]:
        """Returns an action for each match, each legal one equally likely. The array is overwritten by the next call."""
        self._batch.pick(self._picks)
        return self._picks

    @property
    def forfeits(self) -> int:
        """How many matches the opponent has forfeited since the last reset."""
        return self._batch.forfeits()[0]

    @property
    def forfeit(self) -> str | None:
        """How the opponent forfeited one of them.

        >>> from parlor import vector
        >>> env = vector.make("tictactoe", 2, opponent=lambda decision: "z9", seat=0)
        >>> rewards, over = env.step([4, 4])
        >>> env.forfeits, env.forfeit
        (2, 'seat 1 forfeits: illegal action `z9`')
        """
        return self._batch.forfeits()[1]
