"""Batches: the same matches as tables play, whatever the size of the batch."""

import numpy as np
import pytest
from common import GAMES

import parlor
from parlor import vector


@pytest.mark.parametrize("spec", GAMES)
def test_every_array_is_consistent_at_every_step(spec):
    game = parlor.open(spec)
    env = vector.make(spec, 16, seed=5)
    ended = 0
    for _ in range(150):
        assert env.masks.dtype == np.bool_ and env.masks.any(axis=1).all()
        assert env.cells.max() < len(game.symbols) and env.movers.max() < game.seats
        picks = env.sample()
        assert env.masks[np.arange(16), picks].all()
        rewards, over = env.step(picks)
        low, high = game.payoff_range
        assert (rewards >= low).all() and (rewards <= high).all()
        assert not rewards[~over].any()
        if game.seats == 2:
            assert np.allclose(rewards.sum(axis=1), 0)
        ended += int(over.sum())
    assert ended > 0 or spec in ("darkchess", "checkers", "dominoes")


@pytest.mark.parametrize("spec", ["connect(width=7, height=6)", "tictactoe", "checkers"])
def test_open_games_are_those_of_tables(spec):
    env = vector.make(spec, 3, seed=1)
    tables = [parlor.open(spec).table() for _ in range(3)]
    for _ in range(200):
        for at, table in enumerate(tables):
            assert table.mover == env.movers[at]
            assert (table.cells() == env.cells[at]).all() and (table.mask() == env.masks[at]).all()
        picks = env.sample().copy()
        rewards, over = env.step(picks)
        for at, table in enumerate(tables):
            table.act(int(picks[at]))
            assert table.is_over == over[at]
            if table.is_over:
                assert table.payoffs == rewards[at].tolist()
                tables[at] = parlor.open(spec).table()


@pytest.mark.parametrize("spec", GAMES)
def test_matches_do_not_depend_on_the_size_of_the_batch(spec):
    def play(matches):
        env = vector.make(spec, matches, seed=9)
        seen = []
        for number in range(80):
            # The first or the last legal number, by turns.
            last = env.masks.shape[1] - 1 - env.masks[:, ::-1].argmax(axis=1)
            env.step(last if number % 2 else env.masks.argmax(axis=1))
            seen.append((env.cells[:4].tobytes(), env.over[:4].tobytes(), env.rewards[:4].tobytes()))
        return seen

    assert play(4) == play(9)


def test_planes_are_those_of_the_cells():
    game = parlor.open("minesweeper")
    env = vector.make(game, 8, seed=2, show=["cells", "planes"])
    for _ in range(20):
        assert (env.planes == game.planes(env.cells)).all()
        env.step(env.sample())
    with pytest.raises(ValueError, match="beside the grid"):
        vector.make("dominoes", 2, show=["planes"])
    with pytest.raises(ValueError, match="there are cells"):
        vector.make("tictactoe", 2, show=["colours"])


def test_an_illegal_action_changes_nothing():
    env = vector.make("tictactoe", 4)
    env.step([0, 1, 2, 3])
    before = env.cells.copy()
    with pytest.raises(parlor.ParlorError, match="match 2 of the batch: number 2 is not legal"):
        env.step([1, 2, 2, 2])
    with pytest.raises(parlor.ParlorError, match="match 0"):
        env.step([-1, 2, 3, 2])
    with pytest.raises(ValueError, match="one action for each match"):
        env.step([1, 2])
    with pytest.raises(TypeError, match="whole numbers"):
        env.step([0.5] * 4)
    env.step([8, 8, 8, 8])
    assert (env.cells[:, :8] == before[:, :8]).all()


def test_a_reset_begins_anew():
    env = vector.make("dominoes", 5, seed=3)
    first = env.cells.copy()
    for _ in range(30):
        env.step(env.sample())
    env.reset(seed=3)
    assert (env.cells == first).all() and not env.over.any()
    env.reset(seed=4)
    assert (env.cells != first).any()
    with pytest.raises(ValueError, match="number of matches"):
        vector.make("tictactoe", 0)
