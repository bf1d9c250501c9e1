"""Small games with secrets: equilibria, what agents lose to their best responses, and how to win from them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlor import _native
from parlor._games import Game
from parlor._runs import Progress, _progress, _seating, _spec, _threads


def _out(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fspath(path)


def _kept(text: str) -> dict[str, Any]:
    data = json.loads(text)
    file = data["file"]
    return {**data, "file": None if file is None else Path(file)}


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium of a game whose hands stay hidden."""

    #: What the game is worth to the seat that decides first, and proven bounds.
    value: float
    low: float
    high: float
    #: What the strategy loses to its best response, in points a game.
    exploitability: float
    #: The first choices and their probabilities, where a seat decides before anything is dealt.
    best: dict[str, float]
    information_sets: int
    nodes: int
    rounds: int
    #: Whether it ended before it reached the precision; the bounds hold all the same.
    stopped: bool
    game: str
    #: Where the strategy is, if it was kept.
    file: Path | None

    @property
    def agent(self) -> str:
        """The spec that seats the strategy."""
        return _seating("nash", self.file)


def equilibrium(
    game: str | Game,
    *,
    precision: float = 1e-4,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    threads: int | None = None,
    memory_mb: int = 1024,
    progress: Progress = None,
) -> Equilibrium:
    """Finds an equilibrium of a small game with secrets, before anything is dealt; `out` keeps the strategy in a file.

    >>> found = parlor.equilibrium("dominoes(rules=myers, set=2, hand=2)")
    >>> found.low <= found.value <= found.high, found.exploitability < 1e-4
    (True, True)
    """
    if not precision > 0:
        raise ValueError("precision is a number above 0")
    text = _native.equilibrium(
        _spec(game),
        precision=precision,
        out=_out(out),
        overwrite=overwrite,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "step"),
    )
    return Equilibrium(**_kept(text))


@dataclass(frozen=True)
class Response:
    """A strategy that wins from an agent at a limited risk. All payoffs are means over deciding first and second."""

    #: What it wins from the agent, in points a game.
    gain: float
    #: What it loses to its own best response.
    exploitability: float
    #: How likely it takes the opponent to be the agent.
    weight: float
    #: What a best response to the agent wins: no strategy wins more.
    ceiling: float
    #: Against an opponent that is the agent with probability `weight` it is sure of `low`, and no strategy of more than `high`.
    low: float
    high: float
    information_sets: int
    rounds: int
    #: How often the agent was asked in each information set.
    samples: int
    #: Whether its odds are known, so that nothing is estimated.
    exact: bool
    stopped: bool
    game: str
    #: The agent that it wins from.
    opponent: str
    #: Where the strategy is, if it was kept.
    file: Path | None

    @property
    def agent(self) -> str:
        """The spec that seats the strategy."""
        return _seating("nash", self.file)


def respond(
    game: str | Game,
    agent: str,
    weight: float,
    *,
    precision: float = 1e-4,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    samples: int = 8,
    full: bool = False,
    seed: int = 1,
    threads: int | None = None,
    memory_mb: int = 1024,
    progress: Progress = None,
) -> Response:
    """Finds the best strategy against an opponent that is the agent with probability `weight`, and anyone otherwise: 0 is an
    equilibrium, 1 a best response.

    >>> greedy, safe = (parlor.respond("dominoes(rules=myers, set=2, hand=2)", "random", weight) for weight in (1, 0))
    >>> greedy.gain >= safe.gain, safe.exploitability <= greedy.exploitability
    (True, True)
    """
    if not 0 <= weight <= 1:
        raise ValueError("weight is a probability, from 0 to 1")
    if not precision > 0:
        raise ValueError("precision is a number above 0")
    text = _native.respond(
        _spec(game),
        agent,
        weight,
        precision=precision,
        out=_out(out),
        overwrite=overwrite,
        samples=samples,
        full=full,
        seed=seed,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "step"),
    )
    data = _kept(text)
    return Response(opponent=data.pop("agent"), **data)


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
    """Returns what an agent loses to its best response, in a small game with secrets.

    >>> parlor.exploit("dominoes(rules=myers, set=2, hand=2)", "random").exact
    True
    """
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
