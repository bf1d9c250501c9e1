"""Exact answers, thoughts of agents, and statistics."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from parlor import _native
from parlor._agents import _split
from parlor._games import Game
from parlor._runs import AgentLike, Progress, _progress, _spec, _threads


@dataclass(frozen=True)
class Solved:
    """What a position is worth to the seat to move."""

    value: float
    #: Every best action.
    best: list[str]
    #: What values count: `points`, `probability of winning`, …
    unit: str
    nodes: int
    #: The value of each action, best first, if that was asked for.
    values: dict[str, float] | None
    game: str


def solve(
    game: str | Game,
    position: str | None = None,
    *,
    each: bool = False,
    threads: int | None = None,
    memory_mb: int = 256,
    progress: Progress = None,
) -> Solved:
    """Returns the exact value of a position and every best action; with `each`, the value of each action.

    >>> parlor.solve("tictactoe").value
    0.0
    """
    text = _native.solve(
        _spec(game),
        position,
        each=each,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "step"),
    )
    return Solved(**json.loads(text))


@dataclass(frozen=True)
class Odds:
    """Exact odds of hidden mines."""

    #: How likely each covered cell is a mine.
    mines: dict[str, float]
    #: How likely random clicks win from here; `None` where that is out of reach.
    random_win: float | None
    #: How many layouts of the mines agree with what is open.
    layouts: float


def odds(game: str | Game, position: str | None = None) -> Odds:
    """Returns the exact odds of mines in a position of minesweeper.

    >>> parlor.odds("minesweeper(rows=2, columns=2, mines=1)").mines["a1"]
    0.25
    """
    return Odds(**json.loads(_native.odds(_spec(game), position)))


@dataclass(frozen=True)
class Exploited:
    """What an agent loses to its best response."""

    exploitability: float
    as_first: float
    as_second: float
    against_itself: float
    information_sets: int
    #: How often it was asked in each information set.
    samples: int
    #: Whether its odds are known, so that nothing is estimated.
    exact: bool
    game: str
    agent: str


def exploit(
    game: str | Game,
    agent: str,
    *,
    samples: int = 8,
    full: bool = False,
    seed: int = 1,
    threads: int | None = None,
    memory_mb: int = 1024,
    progress: Progress = None,
) -> Exploited:
    """Returns what an agent loses to its best response, in a small game with secrets."""
    text = _native.exploit(
        _spec(game),
        agent,
        samples=samples,
        full=full,
        seed=seed,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "step"),
    )
    return Exploited(**json.loads(text))


@dataclass(frozen=True)
class Analysis:
    """What an agent thinks about a position."""

    best: str
    seat: int
    agent: str
    game: str
    #: Its last thought: depth, nodes, value, unit, line, moves, …; `None` if it tells nothing.
    thought: dict[str, Any] | None = field(repr=False)
    #: What it believes about hidden things, if that was asked for.
    beliefs: dict[str, Any] | None = field(repr=False)


def analyse(
    game: str | Game,
    agent: AgentLike,
    position: str | None = None,
    *,
    moves: str = "",
    seat: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    beliefs: bool = False,
) -> Analysis:
    """Lets an agent think about a position, reached by `moves` from there or from the start.

    >>> parlor.analyse("connect(width=7, height=6)", "alphabeta(depth=8)").best
    '4'
    """
    (spec,), guests = _split([agent])
    text = _native.analyse(
        _spec(game), spec, position, moves, seat=seat, seed=seed, seconds=seconds, beliefs=beliefs, guests=guests
    )
    return Analysis(**json.loads(text))


@dataclass(frozen=True)
class Estimate:
    """What results say about the difference between two players. A number that does not exist is `None`."""

    games: int
    score: float | None
    elo: float | None
    elo_low: float | None
    elo_high: float | None
    nelo: float | None
    nelo_error: float | None
    los: float | None
    p_value: float | None


class stats:
    """Numbers for counts from elsewhere."""

    @staticmethod
    def games(wins: int, draws: int, losses: int, *, level: float = 0.95) -> Estimate:
        """Returns what single games say.

        >>> round(parlor.stats.games(136, 111, 96).elo, 1)
        40.7
        """
        return Estimate(**json.loads(_native.stats_games(wins, draws, losses, level)))

    @staticmethod
    def pairs(counts: tuple[int, int, int, int, int], *, level: float = 0.95) -> Estimate:
        """Returns what pairs say, by how many scored 0, ½, 1, 1½ and 2 points.

        >>> parlor.stats.pairs((50, 200, 500, 250, 60)).games
        2120
        """
        return Estimate(**json.loads(_native.stats_pairs(counts, level)))
