"""Databases of positions with few pieces, as `parlor endgame` builds them.

>>> import tempfile
>>> from parlor import endgame
>>> folder = tempfile.mkdtemp()
>>> built = endgame.build("checkers(rows=4, columns=4)", folder, pieces=2)
>>> endgame.verify(folder, sample=20).good
True
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from parlor import _native
from parlor._games import Game
from parlor._runs import Progress, Rows, _progress, _spec, _threads

__all__ = ["Database", "Findings", "Probed", "build", "probe", "verify"]


@dataclass(frozen=True)
class Database:
    """A database in its folder."""

    game: str
    folder: Path
    #: One row for each number of pieces: pieces, classes, bytes, lost, drawn, won, longest.
    rows: Rows = field(repr=False)


def build(
    game: str | Game,
    folder: str | os.PathLike[str],
    *,
    pieces: int,
    threads: int | None = None,
    memory_mb: int = 1000,
    progress: Progress = None,
) -> Database:
    """Works out every position with at most `pieces` pieces. Ctrl-C keeps the classes that are finished; the same call goes on."""
    text = _native.endgame_build(
        _spec(game),
        os.fspath(folder),
        pieces=pieces,
        threads=_threads(threads),
        memory_mb=memory_mb,
        progress=_progress(progress, "position"),
    )
    data = json.loads(text)
    return Database(game=data["game"], folder=Path(data["folder"]), rows=Rows(data["rows"]))


@dataclass(frozen=True)
class Findings:
    """What a check of a database found."""

    #: Positions whose value was compared with those that follow, and those that contradict them.
    positions: int
    wrong: int
    #: Classes that have other counts than their files say.
    miscounted: int
    #: Positions that were searched, those that the search could settle, and those that it contradicts.
    searched: int
    settled: int
    refuted: int
    #: A wrong position.
    example: str | None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.wrong or self.miscounted or self.refuted)


def verify(
    folder: str | os.PathLike[str],
    *,
    sample: int = 1000,
    depth: int = 9,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress = None,
) -> Findings:
    """Checks every value against those that follow, and `sample` positions by a search of `depth` plies."""
    text = _native.endgame_verify(
        os.fspath(folder),
        sample=sample,
        depth=depth,
        seed=seed,
        threads=_threads(threads),
        progress=_progress(progress, "position"),
    )
    return Findings(**json.loads(text))


@dataclass(frozen=True)
class Probed:
    """What a database says about a position."""

    #: To the side to move: 1 won, 0 drawn, -1 lost.
    value: int
    #: The class of the position.
    kind: str
    #: The longest way to an irreversible move in that class, in plies.
    longest: int
    #: The value of each move to the side that makes it, best first.
    moves: dict[str, int]


def probe(folder: str | os.PathLike[str], position: str) -> Probed:
    """Looks a position up."""
    data = json.loads(_native.endgame_probe(os.fspath(folder), position))
    moves = {move["action"]: move["value"] for move in data["moves"]}
    return Probed(value=data["value"], kind=data["class"], longest=data["longest"], moves=moves)
