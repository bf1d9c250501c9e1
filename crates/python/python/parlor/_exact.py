"""Exact answers, thoughts of agents, and statistics."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor import _native
from parlor._agents import _split
from parlor._games import Game
from parlor._runs import AgentLike, Progress, Rows, _progress, _spec, _threads


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
class Deals:
    """How the hands of a game are dealt."""

    #: How many deals there are, the order of tiles apart.
    deals: int
    tiles: int
    hand: int
    boneyard: int
    game: str
    #: One row a deal: deal, leader, value; `None` unless that was asked for.
    values: Rows | None = field(repr=False)


def deals(
    game: str | Game,
    *,
    values: bool = False,
    threads: int | None = None,
    memory_mb: int = 1024,
    progress: Progress = None,
) -> Deals:
    """Returns in how many ways the hands of dominoes are dealt; with `values`, what each deal with open hands is worth to the seat that
    leads.

    >>> parlor.deals("dominoes(rules=myers)").deals
    4200
    """
    text = _native.deals(
        _spec(game),
        values=values,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "step"),
    )
    data = json.loads(text)
    rows = data.pop("values")
    return Deals(**{**data, "deals": int(data["deals"])}, values=None if rows is None else Rows(rows))


@dataclass(frozen=True)
class Regret:
    """What an agent loses against perfect play. A number that does not exist is `None`."""

    game: str
    agent: str
    #: Its opponent; `None` in a solitary game, and where all positions were asked about.
    against: str | None
    #: What losses count.
    unit: str
    matches: int
    decisions: int
    #: The decisions that were compared with perfect play.
    judged: int
    mistakes: int
    mistake_rate: float | None
    #: The ends of the 95 % interval, which comes from deals.
    mistake_low: float | None
    mistake_high: float | None
    lost_per_decision: float | None
    lost_per_match: float | None
    lost_low: float | None
    lost_high: float | None
    #: The worst decision: position, action, best, lost.
    worst: dict[str, Any] | None = field(repr=False)


def regret(
    game: str | Game,
    agent: AgentLike,
    *,
    against: AgentLike = "random",
    deals: int = 100,
    opening: int = 0,
    all: bool = False,
    seed: int = 1,
    threads: int | None = None,
    memory_mb: int = 256,
    progress: Progress = None,
) -> Regret:
    """Measures what an agent loses against perfect play: in both seats of `deals` deals against an opponent, after `opening` random
    moves; with `all`, in every position that can be reached, each once.

    >>> parlor.regret("tictactoe", "alphabeta", deals=5).mistakes
    0
    """
    specs, guests = _split([agent, against])
    text = _native.regret(
        _spec(game),
        *specs[:1],
        against=specs[1],
        deals=deals,
        opening=opening,
        all=all,
        seed=seed,
        threads=_threads(threads),
        memory_mb=memory_mb,
        guests=guests,
        progress=_progress(progress, "deal"),
    )
    return Regret(**json.loads(text))


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


@dataclass(frozen=True)
class Sequential:
    """What a sequential test says."""

    #: The log-likelihood ratio, and the bounds at which the test ends.
    llr: float
    lower: float
    upper: float
    #: `H0`, `H1`, or `None` as long as more games are needed.
    accepted: str | None


@dataclass(frozen=True)
class Distribution:
    """What pairs between equals can score: games won minus games lost."""

    #: The standard deviation of the sum.
    sigma: float
    #: How likely a score is at least as far from 0; `None` unless a score was given.
    p_value: float | None
    #: How likely a score is at least as high.
    p_value_one_sided: float | None
    #: The probability of each score from -2 n to 2 n.
    probabilities: NDArray[np.float64] = field(repr=False, compare=False)


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

    @staticmethod
    def sprt(
        counts: Sequence[int],
        elo0: float,
        elo1: float,
        *,
        alpha: float = 0.05,
        beta: float = 0.05,
        normalised: bool = False,
    ) -> Sequential:
        """Tests sequentially whether the difference is `elo0` or `elo1`. `counts` are three of games (won, drawn, lost) or five of pairs
        (0, ½, 1, 1½ and 2 points).

        >>> found = parlor.stats.sprt((50, 200, 500, 250, 60), 0, 5)
        >>> round(found.llr, 2), round(found.upper, 2), found.accepted
        (1.87, 2.94, None)
        """
        return Sequential(
            **json.loads(
                _native.stats_sprt(list(counts), elo0, elo1, alpha=alpha, beta=beta, normalised=normalised)
            )
        )

    @staticmethod
    def distribution(win_first: float, draw: float, pairs: int, score: int | None = None) -> Distribution:
        """Returns the exact distribution of the score of `pairs` pairs between equals, where the first seat wins a game with probability
        `win_first` and a game is drawn with probability `draw`; and how rare `score` is.

        >>> round(parlor.stats.distribution(0.3918, 0.3161, 50, 17).p_value, 3)
        0.044
        """
        data = json.loads(_native.stats_distribution(win_first, draw, pairs, score))
        return Distribution(**{**data, "probabilities": np.array(data["probabilities"])})
