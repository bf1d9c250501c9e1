"""Equilibria, regret, deals, databases, rows and classifiers: what the commands of the same names say."""

import csv
import json

import numpy as np
import pytest

import parlor
from parlor import classify, endgame

#: Small enough to be solved at once.
SMALL = "dominoes(rules=myers, set=2, hand=2)"


def test_an_equilibrium_is_kept_and_played(tmp_path):
    found = parlor.equilibrium(SMALL, out=tmp_path / "small.nash")
    assert found.value == pytest.approx(-1 / 3) and found.low <= found.value <= found.high
    assert found.exploitability < 1e-4 and found.information_sets == 13 and not found.stopped
    assert parlor.match(SMALL, found.agent, "random", pairs=20).forfeits == (0, 0)
    exploited = parlor.exploit(SMALL, found.agent)
    assert exploited.exact and exploited.exploitability < 1e-4
    with pytest.raises(parlor.ParlorError, match="is there already"):
        parlor.equilibrium(SMALL, out=tmp_path / "small.nash")
    parlor.equilibrium(SMALL, out=tmp_path / "small.nash", overwrite=True)
    with pytest.raises(ValueError, match="was not kept"):
        parlor.equilibrium(SMALL).agent


def test_a_response_wins_what_its_weight_allows(tmp_path):
    greedy, careful = (
        parlor.respond(SMALL, "scoring", weight, out=tmp_path / f"{weight}.nash") for weight in (1, 0.5)
    )
    assert greedy.gain == pytest.approx(greedy.ceiling) == pytest.approx(1 / 60)
    assert greedy.opponent.startswith("scoring(") and careful.exploitability <= greedy.exploitability + 1e-9
    assert careful.low == pytest.approx(1 / 120) and careful.high == pytest.approx(1 / 120)
    assert parlor.match(SMALL, greedy.agent, "scoring", pairs=20).forfeits == (0, 0)
    with pytest.raises(ValueError, match="probability"):
        parlor.respond(SMALL, "scoring", 2)
    with pytest.raises(parlor.ParlorError, match="tictactoe"):
        parlor.respond("tictactoe", "random", 1)


def test_regret():
    every = parlor.regret("tictactoe", "alphabeta(depth=2, memory_mb=1)", all=True)
    assert (every.decisions, every.judged, every.mistakes) == (5920, 5290, 44)
    assert every.worst["lost"] == 1 and every.against is None
    games = parlor.regret("tictactoe", "random", deals=20, seed=3, threads=2)
    assert games == parlor.regret("tictactoe", "random", deals=20, seed=3, threads=1)
    assert games.mistake_low < games.mistake_rate < games.mistake_high and games.matches == 40

    @parlor.agent
    def last(decision):
        return decision.actions[-1]

    assert parlor.regret("tictactoe", last, deals=5).agent == "last"
    with pytest.raises(parlor.ParlorError, match="no agent for tictactoe named"):
        parlor.regret("tictactoe", "nobody")


def test_deals():
    counted = parlor.deals(SMALL, values=True)
    assert len(counted.values) == counted.deals and set(counted.values[0]) == {"deal", "leader", "value"}
    assert parlor.deals("dominoes(set=6, hand=7)").deals > 2**32
    with pytest.raises(parlor.ParlorError, match="tictactoe"):
        parlor.deals("tictactoe")


def test_statistics():
    sequential = parlor.stats.sprt((10, 0, 990), 0, 5)
    assert sequential.accepted == "H0" and sequential.llr < sequential.lower
    assert parlor.stats.sprt([0, 10, 500, 400, 10], 0, 50, normalised=True).llr > 0
    with pytest.raises(parlor.ParlorError, match="three of games"):
        parlor.stats.sprt([1, 2], 0, 5)
    found = parlor.stats.distribution(0.4, 0.3, 10)
    assert found.probabilities.shape == (41,) and found.probabilities.sum() == pytest.approx(1)
    assert found.p_value is None
    with pytest.raises(parlor.ParlorError, match="cannot score"):
        parlor.stats.distribution(0.4, 0.3, 10, 30)


def test_a_database_is_built_checked_and_asked(tmp_path):
    built = endgame.build("checkers(rows=4, columns=4)", tmp_path / "db", pieces=2)
    assert [(row["pieces"], row["classes"]) for row in built.rows] == [(2, 4)]
    found = endgame.verify(tmp_path / "db", sample=30, threads=1)
    assert found.good and found.positions > 0 and found.searched == 30
    probed = endgame.probe(tmp_path / "db", "-w-./.-.-/-.-R/.-.- r")
    assert (probed.value, probed.kind, probed.moves) == (0, "0m1k-1m0k", {"d2-c1": 0, "d2-c3": -1})
    with pytest.raises(parlor.ParlorError):
        endgame.probe(tmp_path / "db", "nonsense")
    with pytest.raises(parlor.ParlorError):
        endgame.probe(tmp_path / "nowhere", "nonsense")
    with pytest.raises(parlor.ParlorError, match="tictactoe"):
        endgame.build("tictactoe", tmp_path / "x", pieces=2)


def test_samples_are_the_rows_of_the_file(tmp_path):
    file = tmp_path / "rows.csv"
    rows = classify.samples("tictactoe", rows=300, seed=1, out=file, games=tmp_path / "games.jsonl", threads=2)
    assert rows.classes == ["random", "attack", "block"] and rows.values.dtype == np.float64
    with file.open() as opened:
        lines = list(csv.DictReader(opened))
    for column in rows.features:
        written = np.array([float(line[column]) for line in lines])
        assert (written == rows.values[:, rows.features.index(column)]).all()
    for column, numbers in (("target", rows.labels), ("game", rows.games), ("turn", rows.turns), ("player", rows.seats)):
        assert [int(line[column]) for line in lines] == numbers.tolist()
    games = (tmp_path / "games.jsonl").read_text().splitlines()
    assert len(games) == rows.games.max() and json.loads(games[0])["game"] == rows.game
    again = classify.samples("tictactoe", rows=300, seed=1, threads=1)
    assert (again.values == rows.values).all() and again.file is None
    with pytest.raises(parlor.ParlorError, match="ends neither in"):
        classify.samples("tictactoe", out=tmp_path / "rows.txt")
    with pytest.raises(parlor.ParlorError, match="checkers"):
        classify.samples("checkers")


@pytest.mark.parametrize("kind", ["mda", "forest"])
def test_classifiers_of_files_and_of_arrays_are_equal(tmp_path, kind):
    rows = classify.samples("tictactoe", rows=600, seed=1, out=tmp_path / "rows.csv")
    of_file, of_arrays = (
        classify.train(source, kind, tmp_path / f"{number}.model", trees=20, holdout=0.25, game="tictactoe")
        for number, source in enumerate([rows.file, rows])
    )
    assert of_file.file.read_bytes() == of_arrays.file.read_bytes()
    assert of_file.holdout == of_arrays.holdout and of_file.holdout.accuracy > 0.4
    assert (of_file.importance is None) == (kind == "mda") and (of_file.explained is None) == (kind == "forest")
    known = classify.open(of_file.file)
    assert (known.kind, known.classes, known.game) == (kind, rows.classes, rows.game)
    tested = classify.test(known, rows)
    assert tested == classify.test(known, rows.file) and tested.confusion.sum() == 600
    right = (tested.predictions == rows.labels).mean()
    assert right == pytest.approx(tested.accuracy)
    crossed = classify.cross(rows, kind, folds=3, trees=20)
    assert len(crossed.folds) == 3 and crossed.rows == 600


def test_wrong_rows_are_refused(tmp_path):
    rows = classify.samples("tictactoe", rows=100, seed=1, out=tmp_path / "rows.csv")
    with pytest.raises(parlor.ParlorError, match="mda"):
        classify.train(rows, "tree", tmp_path / "x.model")
    with pytest.raises(parlor.ParlorError, match="has the features"):
        classify.train(rows.file, "mda", tmp_path / "x.model", game="dominoes(rules=myers)")
    with pytest.raises(parlor.ParlorError, match="cannot read"):
        classify.cross(tmp_path / "none.csv", "mda")
    with pytest.raises(parlor.ParlorError, match="cannot use"):
        classify.open(tmp_path / "rows.csv")
    with pytest.raises(ValueError, match="holdout"):
        classify.train(rows, "mda", tmp_path / "x.model", holdout=2)
