"""Matches, tournaments, trainings, experiments: the same numbers as everywhere else."""

import json

import pytest

import parlor
from parlor import _native

def test_threads_do_not_matter_and_folders_are_equal(tmp_path):
    runs = [
        parlor.match("dominoes", "expert", "scoring", pairs=12, seed=5, threads=threads, out=tmp_path / str(threads))
        for threads in (1, 2)
    ]
    assert runs[0].document == runs[1].document and runs[0].games == runs[1].games
    files = ["games.jsonl", "match.json", "result.json"]
    one, two = ([(tmp_path / run / file).read_bytes() for file in files] for run in ("1", "2"))
    assert one == two
    assert runs[0].pairs == 12 and len(runs[0].games) == 24
    again = parlor.match("dominoes", "expert", "scoring", pairs=12, seed=5, out=tmp_path / "1", resume=True)
    assert again.document == runs[0].document


def test_sequential_tests_stop_a_match():
    result = parlor.match("tictactoe", "alphabeta", "random", pairs=2000, sprt=(0, 50), rows=False)
    assert result.accepted == "H1" and result.pairs < 2000 and result.games == []
    assert result.elo_low > 0


def test_solitary_games_have_matches():
    result = parlor.match("minesweeper(rows=4, columns=4, mines=3)", "deduce", "random", pairs=20)
    assert result.score > 0.5 and result.pairs == 20


def test_tournaments():
    found = parlor.tournament("tictactoe", ["random", "alphabeta"], pairs=5, rows=True)
    assert [row["agent"].split("(")[0] for row in found.standings] == ["alphabeta", "random"]
    assert len(found.games) == 10 and len(found.meetings) == 1
    gauntlet = parlor.tournament("tictactoe", ["random", "alphabeta", "mcts(sims=5)"], pairs=2, gauntlet=True)
    assert len(gauntlet.meetings) == 2
    with pytest.raises(parlor.ParlorError):
        parlor.tournament("tictactoe", ["random"], pairs=2)


def test_a_training_is_kept_and_resumed(tmp_path):
    file = tmp_path / "ttt.parlor"
    learnt = parlor.train("tictactoe", "collective", file, rounds=3, round=100, test_matches=20, seed=3)
    assert learnt.finished and learnt.matches == 300 and learnt.curve[-1]["matches"] == 300
    with pytest.raises(parlor.ParlorError, match="exists"):
        parlor.train("tictactoe", "collective", file, rounds=3)
    again = parlor.train("tictactoe", "collective", file, resume=True)
    assert again.matches == 300
    assert parlor.match("tictactoe", learnt.agent, "random", pairs=20).forfeits == (0, 0)
    with pytest.raises(parlor.ParlorError, match="does not learn|learners"):
        parlor.train("tictactoe", "alphabeta", tmp_path / "x")


def test_progress_is_reported():
    heard = []
    parlor.match("tictactoe", "random", "random", pairs=3000, progress=lambda done, total: heard.append((done, total)))
    assert heard and heard[-1] == (3000, 3000)


def test_an_error_in_progress_ends_the_run():
    def broken(done, total):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        parlor.match("connect", "mcts(sims=100)", "random", pairs=10**6, progress=broken)


def test_rows_become_tables():
    rows = parlor.match("tictactoe", "random", "random", pairs=2).games
    pandas = pytest.importorskip("pandas")
    assert isinstance(rows.to_pandas(), pandas.DataFrame) and len(rows.to_pandas()) == 4
    assert rows.to_arrow().num_rows == 4


def test_shards_merge_to_the_bytes_of_one_run(tmp_path):
    asked = parlor._runs._pairs("dominoes(rules=myers)", ["expert", "random"], 30, 9, None, 0, 0)
    plan = _native.plan_match(asked)
    assert _native.plan_units(plan) == 30
    shards = tmp_path / "shards"
    for number in (2, 0, 3, 1):
        assert not _native.has_shard(plan, str(shards), number, 4)
        _native.write_shard(str(shards), number, 4, _native.play_shard(plan, number, 4, threads=1, progress=None))
        assert _native.has_shard(plan, str(shards), number, 4)
    _native.merge(str(shards), str(tmp_path / "merged"), threads=1, progress=None)
    parlor.match("dominoes(rules=myers)", "expert", "random", pairs=30, seed=9, out=tmp_path / "whole")
    for file in ("games.jsonl", "match.json", "result.json"):
        assert (tmp_path / "merged" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
    with pytest.raises(parlor.ParlorError, match="time"):
        _native.plan_match({**asked, "time": "1m"})


def test_exact_answers():
    assert parlor.solve("tictactoe", each=True).values["b2"] == 0
    assert parlor.odds("minesweeper(rows=2, columns=3, mines=2)").layouts == 15
    with pytest.raises(parlor.ParlorError, match="tictactoe has no mine odds"):
        parlor.odds("tictactoe")
    analysis = parlor.analyse("dominoes", "pimc(worlds=20)", seed=3, beliefs=True)
    assert analysis.thought["moves"] and analysis.beliefs is not None
    assert parlor.stats.games(10, 0, 10).elo == 0


def test_published_experiments_are_known(tmp_path):
    with pytest.raises(parlor.ParlorError, match="cannot be read"):
        parlor.experiment("nothing.toml", tmp_path / "out")
    assert json.loads(_native.plan_experiment("m9", True, 1, None))["kind"] == "experiment"
