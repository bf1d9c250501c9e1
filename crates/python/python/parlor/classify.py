"""Labelled rows of games between known styles of play, and classifiers of them, as `parlor samples` and `parlor classify` make them.

>>> import tempfile
>>> from pathlib import Path
>>> from parlor import classify
>>> rows = classify.samples("tictactoe", rows=300, seed=1)
>>> rows.values.shape == (300, len(rows.features)), rows.labels.dtype
(True, dtype('uint32'))
>>> found = classify.train(rows, "mda", Path(tempfile.mkdtemp()) / "mda.model", holdout=0.2)
>>> found.holdout.rows
60
>>> classify.test(found.file, rows).predictions.shape
(300,)
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor import _native
from parlor._games import Game
from parlor._runs import Progress, Rows, _progress, _spec, _threads

__all__ = ["Classifier", "Measures", "Samples", "cross", "open", "samples", "test", "train"]

Floats = NDArray[np.float64]
Wholes = NDArray[np.uint32]


@dataclass(frozen=True, eq=False)
class Samples:
    """Rows of games between known styles: one a turn, with features that the other seat can see."""

    game: str
    seed: int
    features: list[str]
    #: The styles, in the order of their numbers.
    classes: list[str]
    #: The features, one row a turn.
    values: Floats = field(repr=False)
    #: The number of the style of each row.
    labels: Wholes = field(repr=False)
    #: Which game each row is of, from 1, which turn of it, and which seat's.
    games: Wholes = field(repr=False)
    turns: Wholes = field(repr=False)
    seats: Wholes = field(repr=False)
    #: Where the rows are, if they were kept.
    file: Path | None


def samples(
    game: str | Game,
    *,
    rows: int = 8242,
    seed: int = 1,
    threads: int | None = None,
    out: str | os.PathLike[str] | None = None,
    games: str | os.PathLike[str] | None = None,
    progress: Progress = None,
) -> Samples:
    """Plays games between the styles of a game until there are `rows` rows. `out` keeps them as CSV or Parquet, by its ending, and
    `games` the games that they come from."""
    if not 1 <= rows <= 10_000_000:
        raise ValueError("rows is a number from 1 to 10,000,000")
    text, values, labels, origin = _native.samples(
        _spec(game),
        rows=rows,
        seed=seed,
        threads=_threads(threads),
        out=None if out is None else os.fspath(out),
        games=None if games is None else os.fspath(games),
        progress=_progress(progress, "row"),
    )
    data = json.loads(text)
    file = data.pop("file")
    return Samples(
        **data,
        values=values.reshape(len(labels), -1),
        labels=labels,
        games=origin[0],
        turns=origin[1],
        seats=origin[2],
        file=None if file is None else Path(file),
    )


@dataclass(frozen=True)
class Measures:
    """What a classifier is worth. A number that does not exist is `None`."""

    rows: int
    classes: list[str]
    accuracy: float | None
    #: Rows are actual classes, columns predicted ones.
    confusion: NDArray[np.uint64] = field(repr=False, compare=False)
    #: Of each class.
    precision: list[float | None]
    recall: list[float | None]
    brier: float | None
    log_loss: float | None
    calibration_error: float | None
    #: One row for each tenth of the predicted probability: low, high, rows, confidence, accuracy.
    calibration: Rows = field(repr=False)
    #: The number of the predicted class of each row.
    predictions: Wholes = field(repr=False, compare=False)
    #: The accuracy of each fold of a cross-validation.
    folds: list[float] | None = None

    @staticmethod
    def _of(data: dict[str, Any]) -> Measures:
        arrays = {
            "confusion": np.array(data["confusion"], dtype=np.uint64),
            "predictions": np.array(data["predictions"], dtype=np.uint32),
        }
        return Measures(**{**data, **arrays, "calibration": Rows(data["calibration"])})


@dataclass(frozen=True)
class Classifier:
    """A classifier in its file."""

    file: Path
    #: `mda` or `forest`.
    kind: str
    game: str | None
    features: list[str]
    classes: list[str]
    #: How many rows of each class it was fitted to.
    rows: list[int]
    settings: str
    #: A forest's importance of each feature.
    importance: list[float] | None = field(repr=False)
    #: Each axis's part of the variance between classes, of discriminant analysis.
    explained: list[float] | None = field(repr=False)
    #: Its measures on the rows that were held out.
    holdout: Measures | None = field(repr=False)

    @staticmethod
    def _of(file: str, text: str) -> Classifier:
        data = json.loads(text)
        held = data.pop("holdout")
        return Classifier(
            file=Path(file), **data.pop("about"), **data, holdout=None if held is None else Measures._of(held)
        )


RowsLike = Samples | str | os.PathLike[str]


def _rows(rows: RowsLike) -> Any:
    if isinstance(rows, Samples):
        return _native.Rows(rows.features, rows.classes, rows.values.reshape(-1), rows.labels)
    return _native.Rows.of_file(os.fspath(rows))


def _asked(
    kind: str, trees: int, min_leaf: int, depth: int | None, tried: int | None, seed: int, threads: int | None
) -> dict[str, Any]:
    return {
        "kind": kind,
        "trees": trees,
        "min_leaf": min_leaf,
        "depth": depth,
        "tried": tried,
        "seed": seed,
        "threads": _threads(threads),
    }


def train(
    rows: RowsLike,
    kind: str,
    out: str | os.PathLike[str],
    *,
    trees: int = 100,
    min_leaf: int = 1,
    depth: int | None = None,
    tried: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    game: str | Game | None = None,
    holdout: float | None = None,
    progress: Progress = None,
) -> Classifier:
    """Fits a classifier to rows, or to a CSV file of them, and writes its file: `mda` (multiple discriminant analysis) or `forest`
    (random forest). `holdout` is the share of each class on which it is tested instead."""
    if holdout is not None and not 0 < holdout < 1:
        raise ValueError("holdout is a number between 0 and 1")
    text = _native.fit_classifier(
        _rows(rows),
        _asked(kind, trees, min_leaf, depth, tried, seed, threads),
        os.fspath(out),
        game=_game(rows, game),
        holdout=holdout,
        progress=_progress(progress, "tree"),
    )
    return Classifier._of(os.fspath(out), text)


def _game(rows: RowsLike, game: str | Game | None) -> str | None:
    if game is None:
        return rows.game if isinstance(rows, Samples) else None
    return _spec(game)


def open(file: str | os.PathLike[str]) -> Classifier:
    """Returns the classifier in a file."""
    return Classifier._of(os.fspath(file), _native.open_classifier(os.fspath(file)))


def test(model: Classifier | str | os.PathLike[str], rows: RowsLike) -> Measures:
    """Tests a classifier on rows that it was not fitted to."""
    file = model.file if isinstance(model, Classifier) else model
    return Measures._of(json.loads(_native.test_classifier(os.fspath(file), _rows(rows))))


def cross(
    rows: RowsLike,
    kind: str,
    *,
    folds: int = 5,
    trees: int = 100,
    min_leaf: int = 1,
    depth: int | None = None,
    tried: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    game: str | Game | None = None,
    progress: Progress = None,
) -> Measures:
    """Cross-validates a kind of classifier: fits it to all folds but one and tests it on that one, in turn."""
    if not 2 <= folds <= 1000:
        raise ValueError("folds is a number from 2 to 1,000")
    text = _native.cross_classifier(
        _rows(rows),
        _asked(kind, trees, min_leaf, depth, tried, seed, threads),
        folds=folds,
        game=_game(rows, game),
        progress=_progress(progress, "fit"),
    )
    return Measures._of(json.loads(text))
