"""Matches, tournaments, trainings and experiments."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parlor import _native
from parlor._agents import Agent, _split
from parlor._games import Game

AgentLike = str | Agent | Callable[..., Any] | type
Progress = bool | Callable[[int, int], None] | None


class Rows(list[dict[str, Any]]):
    """Rows of a result: a list of dictionaries with equal keys, and tables of other libraries made from it."""

    def to_pandas(self) -> Any:
        """Returns a `pandas.DataFrame`."""
        import pandas

        return pandas.DataFrame.from_records(list(self))

    def to_arrow(self) -> Any:
        """Returns a `pyarrow.Table`."""
        import pyarrow

        return pyarrow.Table.from_pylist(list(self))


@dataclass(frozen=True)
class MatchResult:
    """What a match came to, from the first agent's side. A number that does not exist is `None`."""

    game: str
    agents: tuple[str, str]
    seed: int
    wins: int
    draws: int
    losses: int
    #: How many pairs scored 0, ½, 1, 1½, 2.
    pentanomial: tuple[int, ...]
    #: Points a game.
    score: float | None
    elo: float | None
    #: The ends of the 95 % interval; `None` also if all pairs had the same result.
    elo_low: float | None
    elo_high: float | None
    #: Exact and two-sided, of "no difference".
    p_value: float | None
    nelo: float | None
    #: Likelihood of superiority.
    los: float | None
    #: Games that each agent forfeited.
    forfeits: tuple[int, int]
    #: Why: for each agent reasons and how often.
    forfeit_reasons: tuple[list[dict[str, Any]], ...]
    #: What a sequential test accepted, `H0` or `H1`.
    accepted: str | None
    #: Why it ended before everything was played.
    stopped: str | None
    #: Where the games are, if they were kept.
    folder: Path | None
    #: One row a game.
    games: Rows = field(repr=False)
    #: Everything that was computed, as `parlor match --json` prints it.
    document: dict[str, Any] = field(repr=False)

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return sum(self.pentanomial)

    @staticmethod
    def _of(text: str) -> MatchResult:
        data = json.loads(text)
        manifest, verdict = data["manifest"], data["verdict"]
        plain = ("wins", "draws", "losses", "score", "elo", "elo_low", "elo_high", "p_value", "nelo", "los")
        return MatchResult(
            game=manifest["game"],
            agents=tuple(manifest["agents"]),
            seed=manifest["seed"],
            pentanomial=tuple(verdict["pentanomial"]),
            forfeits=tuple(verdict["forfeits"]),
            forfeit_reasons=tuple(verdict.get("forfeit_reasons", ([], []))),
            accepted=verdict.get("accepted"),
            stopped=data["stopped"],
            folder=_folder(data),
            games=Rows(data["games"]),
            document=verdict,
            **{key: verdict[key] for key in plain},
        )


@dataclass(frozen=True)
class TournamentResult:
    """What a tournament came to."""

    game: str
    #: One row an agent, best first: rank, agent, elo, elo_low, elo_high, games, score, …
    standings: Rows
    #: One row a pairing, from the first agent's side.
    meetings: Rows
    stopped: str | None
    folder: Path | None
    #: One row a game.
    games: Rows = field(repr=False)
    #: Everything that was computed, as `parlor tournament --json` prints it.
    document: dict[str, Any] = field(repr=False)

    @staticmethod
    def _of(text: str) -> TournamentResult:
        data = json.loads(text)
        standings = data["standings"]
        return TournamentResult(
            game=data["plan"]["game"],
            standings=Rows(standings["agents"]),
            meetings=Rows(standings["meetings"]),
            stopped=data["stopped"],
            folder=_folder(data),
            games=Rows(data["games"]),
            document=standings,
        )


@dataclass(frozen=True)
class Training:
    """A training as it stands in its file."""

    game: str
    learner: str
    #: Where the learner is: `file=…` seats it.
    file: Path
    finished: bool
    #: How many matches it has been trained for.
    matches: int
    #: How many things it knows.
    entries: int
    #: One row a test: matches, against, wins, draws, losses, entries.
    curve: Rows = field(repr=False)
    #: Everything that the file says about itself.
    about: dict[str, Any] = field(repr=False)

    @property
    def agent(self) -> str:
        """The spec that seats the learner as it was learnt."""
        return _seating(self.learner.split("(")[0], self.file)

    @staticmethod
    def _of(text: str) -> Training:
        data = json.loads(text)
        about = data["about"]
        return Training(
            game=about["game"],
            learner=about["learner"],
            file=Path(data["file"]),
            finished=data["finished"],
            matches=about["matches"],
            entries=data["entries"],
            curve=Rows(about["early"] + about["curve"]),
            about=about,
        )


@dataclass(frozen=True)
class ExperimentResult:
    """What an experiment found. All of it is in files of the folder, `report.html` among them."""

    folder: Path
    stopped: str | None
    #: What `findings.json` has.
    findings: dict[str, Any] = field(repr=False)

    @staticmethod
    def _of(text: str) -> ExperimentResult:
        data = json.loads(text)
        folder = Path(data["folder"])
        findings = json.loads((folder / "findings.json").read_text(encoding="utf-8"))
        return ExperimentResult(folder=folder, stopped=data["stopped"], findings=findings)


def _seating(name: str, file: Path | None) -> str:
    """Returns the spec that seats what a file holds."""
    if file is None:
        raise ValueError("it was not kept: name a file with out=…")
    quoted = str(file.resolve()).replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}(file="{quoted}")'


def _folder(data: dict[str, Any]) -> Path | None:
    return Path(data["folder"]) if data["folder"] else None


def _threads(threads: int | None) -> int:
    if threads is not None:
        if threads < 1:
            raise ValueError("threads is a number from 1 on")
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _progress(progress: Progress, unit: str) -> Callable[[int, int], None] | None:
    """Returns what is called with what is done and the total; with `True`, a bar of tqdm if that is installed."""
    if not progress:
        return None
    if callable(progress):
        return progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bar = tqdm(unit=unit)

    def show(done: int, total: int) -> None:
        bar.total = total or None
        bar.n = done
        bar.refresh()
        if done >= total > 0:
            bar.close()

    return show


def _spec(game: str | Game) -> str:
    return game.spec if isinstance(game, Game) else game


def _how(threads: int | None, minutes: float | None, out: str | os.PathLike[str] | None) -> dict[str, Any]:
    return {"threads": _threads(threads), "minutes": minutes, "out": None if out is None else os.fspath(out)}


def match(
    game: str | Game,
    first: AgentLike,
    second: AgentLike,
    *,
    pairs: int = 100,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    time: str | None = None,
    opening: int = 0,
    session: int = 0,
    ponder: bool = False,
    threads: int | None = None,
    minutes: float | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    rows: bool = True,
    progress: Progress = None,
) -> MatchResult:
    """Plays two agents against each other, in pairs of games: the same deal, seats swapped. In a solitary game both play the same
    deals.

    `out` keeps the games in a folder; with `resume`, an interrupted match goes on there. Equal seeds give equal results with any
    number of threads.

    >>> result = parlor.match("tictactoe", "alphabeta", "random", pairs=10, seed=1)
    >>> result.losses, result.pairs
    (0, 10)
    >>> result.games[0]["seats"][1]
    'random'
    """
    specs, guests = _split([first, second])
    how = _how(threads, minutes, out)
    asked = _pairs(game, specs, pairs, seed, time, opening, session, ponder=ponder, sprt=sprt)
    asked, folder = _resumed(asked, how, "match.json", resume)
    text = _native.run_match(asked, folder, how, guests, rows=rows, progress=_progress(progress, "pair"))
    return MatchResult._of(text)


def tournament(
    game: str | Game,
    agents: Sequence[AgentLike],
    *,
    pairs: int = 100,
    seed: int = 1,
    gauntlet: bool = False,
    time: str | None = None,
    opening: int = 0,
    session: int = 0,
    threads: int | None = None,
    minutes: float | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    rows: bool = False,
    progress: Progress = None,
) -> TournamentResult:
    """Plays everyone against everyone, or with `gauntlet` the first against all others.

    >>> found = parlor.tournament("tictactoe", ["random", "alphabeta", "mcts(sims=20)"], pairs=10, seed=1)
    >>> found.standings[0]["agent"].split("(")[0], found.standings[-1]["agent"]
    ('alphabeta', 'random')
    """
    specs, guests = _split(agents)
    how = _how(threads, minutes, out)
    asked = _pairs(game, specs, pairs, seed, time, opening, session, gauntlet=gauntlet)
    asked, folder = _resumed(asked, how, "tournament.json", resume)
    text = _native.run_tournament(asked, folder, how, guests, rows=rows, progress=_progress(progress, "pair"))
    return TournamentResult._of(text)


def _pairs(
    game: str | Game,
    agents: list[str],
    pairs: int,
    seed: int,
    time: str | None,
    opening: int,
    session: int,
    *,
    ponder: bool = False,
    sprt: tuple[float, float] | None = None,
    gauntlet: bool = False,
) -> dict[str, Any]:
    return {
        "game": _spec(game),
        "agents": agents,
        "pairs": pairs,
        "seed": seed,
        "time": time,
        "opening": opening,
        "session": session,
        "ponder": ponder,
        "sprt": sprt and list(sprt),
        "gauntlet": gauntlet,
    }


def _resumed(
    asked: dict[str, Any], how: dict[str, Any], manifest: str, resume: bool
) -> tuple[dict[str, Any] | None, str | None]:
    """Returns what is asked for, or the folder of the run that goes on."""
    folder = how["out"]
    if not resume:
        return asked, None
    if folder is None:
        raise ValueError("resume goes on in a folder: say which with out=…")
    return (None, folder) if os.path.exists(os.path.join(folder, manifest)) else (asked, None)


def train(
    game: str | Game,
    learner: str,
    file: str | os.PathLike[str],
    *,
    against: str | Sequence[str] = "self",
    rounds: int = 10,
    round: int = 1000,
    test: Sequence[str] = (),
    test_matches: int = 100,
    seed: int = 1,
    threads: int | None = None,
    overwrite: bool = False,
    resume: bool = False,
    progress: Progress = None,
) -> Training:
    """Trains a learner for `rounds` rounds of `round` matches and keeps it in a file after each. With `resume`, a training that was
    interrupted goes on.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     learnt = parlor.train("tictactoe", "collective", pathlib.Path(folder) / "ttt.parlor", rounds=2, round=200)
    ...     parlor.match("tictactoe", learnt.agent, "random", pairs=5).forfeits
    (0, 0)
    """
    path = os.fspath(file)
    asked: dict[str, Any] | None = None
    if not (resume and os.path.exists(path)):
        asked = {
            "game": _spec(game),
            "learner": learner,
            "against": [against] if isinstance(against, str) else list(against),
            "testers": list(test),
            "rounds": rounds,
            "round": round,
            "test_matches": test_matches,
            "seed": seed,
            "file": path,
            "overwrite": overwrite,
        }
    folder = None if asked else path
    text = _native.run_training(asked, folder, _threads(threads), progress=_progress(progress, "match"))
    return Training._of(text)


def experiment(
    name: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    quick: bool = False,
    trainings: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    resume: bool = False,
    progress: Progress = None,
) -> ExperimentResult:
    """Runs an experiment, given by the name of a published one or by a TOML file. With `resume`, one that was interrupted goes on."""
    text = _native.run_experiment(
        os.fspath(name),
        os.fspath(out),
        quick=quick,
        trainings=trainings,
        seed=seed,
        threads=_threads(threads),
        resume=resume,
        progress=_progress(progress, "match"),
    )
    return ExperimentResult._of(text)
