"""Thousands of matches in one call, as arrays.

>>> import numpy as np
>>> from parlor import vector
>>> env = vector.make("connect(width=7, height=6)", 4, seed=1)
>>> env.cells.shape, env.masks.shape, env.movers
((4, 42), (4, 7), array([0, 0, 0, 0], dtype=uint8))
>>> rewards, over = env.step(np.full(4, 3))
>>> env.movers
array([1, 1, 1, 1], dtype=uint8)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlor import _native
from parlor._games import Game, open

Show = Literal["cells", "planes", "masks", "movers"]
_SHOW: tuple[Show, ...] = ("cells", "masks", "movers")


def make(
    game: str | Game, matches: int, *, seed: int = 0, show: Sequence[Show] = _SHOW
) -> VectorEnv:
    """Makes `matches` matches of a game that are stepped together. `show` says which arrays are kept up to date."""
    return VectorEnv(game, matches, seed=seed, show=show)


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
    """

    def __init__(
        self, game: str | Game, matches: int, *, seed: int = 0, show: Sequence[Show] = _SHOW
    ) -> None:
        self.game = open(game)
        if not 1 <= matches <= 10_000_000:
            raise ValueError("the number of matches is from 1 to 10,000,000")
        unknown = set(show) - {"cells", "planes", "masks", "movers"}
        if unknown:
            raise ValueError(f"show has {unknown.pop()!r}; there are cells, planes, masks, movers")
        if "planes" in show and self.game.beside:
            raise ValueError(f"{self.game.name} has cells beside the grid, which planes leave out: show cells")
        self.num_envs = matches
        self._batch = _native.Batch(self.game._native, matches, seed)
        rows, columns = self.game.grid
        symbols = len(self.game.symbols)

        def array(name: Show, *shape: int) -> NDArray[np.uint8]:
            return np.zeros((matches, *shape) if name in show else (0, *shape), dtype=np.uint8)

        self.movers = array("movers")
        self.cells = array("cells", self.game.cells)
        self.planes = array("planes", symbols, rows, columns)
        masks = array("masks", self.game.actions)
        self.masks: NDArray[np.bool_] = masks.view(np.bool_)
        self.rewards: NDArray[np.float32] = np.zeros((matches, self.game.seats), dtype=np.float32)
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

        If one of them is not legal, nothing happens in any match.
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
