"""Batches: the same matches as tables play, whatever the size of the batch."""

import threading
import time

import numpy as np
import pytest
from common import GAMES, fork, interrupt_soon

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


AGAINST = [spec for spec in GAMES if not spec.startswith("minesweeper")]

#: Agents that keep nothing from decision to decision, so that a table's agent decides as one that is told everything anew.
MEMORYLESS = [
    *((spec, "random") for spec in AGAINST),
    ("dominoes(rules=myers)", "expert"),
    ("connect(width=7, height=6)", "alphabeta(depth=2, table=off)"),
    ("tictactoe", "block"),
]


@pytest.mark.parametrize(("spec", "opponent"), MEMORYLESS)
def test_matches_against_an_agent_are_those_of_a_table(spec, opponent):
    env = vector.make(spec, 3, seed=7, opponent=opponent, threads=2)
    assert env.opponent == parlor.open(spec).agent_spec(opponent) and env.rewards.shape == (3,)

    def begin(at, playing):
        """Returns the first playing from a number on in which the own seat, which the batch drew, has a decision."""
        while True:
            table = parlor.open(spec).table(seed=fork(fork(7, at), playing))
            own = int(env.movers[at])
            table.seat(1 - own, opponent)
            if answer(table, own):
                return table, own, playing
            playing += 1

    def answer(table, own):
        while table.mover == 1 - own:
            table.agent_act()
        return not table.is_over

    playing = [begin(at, 0) for at in range(3)]
    ended = 0
    for number in range(60):
        picks = env.masks.argmax(axis=1) if number % 2 else env.masks.shape[1] - 1 - env.masks[:, ::-1].argmax(axis=1)
        for at, (table, own, _) in enumerate(playing):
            assert own == env.movers[at] == table.mover
            assert (table.cells(own) == env.cells[at]).all() and (table.mask() == env.masks[at]).all()
        rewards, over = env.step(picks)
        for at, (table, own, count) in enumerate(playing):
            table.act(int(picks[at]))
            assert answer(table, own) != over[at]
            assert rewards[at] == (np.float32(table.payoffs[own]) if over[at] else 0)
            if over[at]:
                playing[at] = begin(at, count + 1)
                ended += 1
    assert ended > 0 or spec in ("darkchess", "checkers", "dominoes")
    assert env.forfeits == 0 and env.forfeit is None


@pytest.mark.parametrize("spec", AGAINST)
def test_threads_and_other_matches_do_not_matter_to_an_opponent(spec):
    def play(matches, threads):
        env = vector.make(spec, matches, seed=9, opponent="random", threads=threads)
        seen = []
        for _ in range(30):
            env.step(env.masks.argmax(axis=1))
            seen.append([array[:4].tobytes() for array in (env.cells, env.over, env.rewards, env.movers)])
        return seen

    assert play(4, 1) == play(40, 3)


def test_the_own_seat_is_drawn_or_given():
    drawn = vector.make("tictactoe", 200, seed=1, opponent="random").movers
    assert 60 < drawn.sum() < 140
    for seat in (0, 1):
        env = vector.make("tictactoe", 20, opponent="random", seat=seat, show=["movers", "cells"])
        assert (env.movers == seat).all() and ((env.cells != 0).sum(axis=1) == seat).all()
    with pytest.raises(ValueError, match="seat is 'random'"):
        vector.make("tictactoe", 2, opponent="random", seat=2)
    with pytest.raises(parlor.ParlorError, match="no opponent"):
        vector.make("minesweeper", 2, opponent="random", seat=0)
    with pytest.raises(parlor.ParlorError, match="no agent for tictactoe named"):
        vector.make("tictactoe", 2, opponent="nobody")


def test_an_opponent_sees_only_what_its_seat_sees():
    oracles = [agent.name for agent in parlor.open("dominoes").agents if agent.sees_all]
    assert oracles
    with pytest.raises(parlor.ParlorError, match="see"):
        vector.make("dominoes", 2, opponent=oracles[0])


def test_an_opponent_in_python_plays_many_matches():
    @parlor.agent
    class Counting:
        def begin(self, game, seat):
            self.seen = 0

        def watch(self, actor, action):
            self.seen += 1

        def act(self, decision):
            # It is told everything that has happened in this match, and nothing of others.
            assert self.seen == int((decision.cells() != 0).sum())
            return decision.numbers[self.seen % len(decision.numbers)]

    env = vector.make("tictactoe", 30, seed=2, opponent=Counting, threads=2)
    for _ in range(20):
        env.step(env.sample())
    assert env.forfeits == 0, env.forfeit


def test_an_opponent_that_misbehaves_forfeits():
    def broken(decision):
        if (decision.cells() != 0).sum() >= 3:
            raise ZeroDivisionError("no")
        return decision.actions[0]

    env = vector.make("connect(width=7, height=6)", 5, opponent=broken, seat=0)
    env.step([3] * 5)
    rewards, over = env.step([3] * 5)
    assert over.all() and (rewards == parlor.open("connect").payoff_range[1]).all()
    assert env.forfeits == 5 and env.forfeit == "seat 1 forfeits: raised ZeroDivisionError: no"
    # All have begun anew.
    assert (env.cells == 0).all()
    env.reset(seed=1)
    assert env.forfeits == 0

    def useless(decision):
        return "z9"

    with pytest.raises(parlor.AgentFault, match="100 times in a row before the own seat had a decision.*illegal"):
        vector.make("tictactoe", 2, opponent=useless, seat=1)


def test_an_illegal_action_changes_nothing_against_an_opponent():
    env = vector.make("tictactoe", 3, opponent="alphabeta", seat=0)
    env.step([0, 1, 2])
    before = env.cells.copy()
    with pytest.raises(parlor.ParlorError, match="match 0 of the batch: number 0 is not legal"):
        env.step([0, 1, 2])
    env.step(env.masks.argmax(axis=1))
    assert ((env.cells != before).sum(axis=1) == 2).all()


def test_control_c_ends_a_step_and_a_reset_begins_anew():
    slow = threading.Event()

    @parlor.agent
    def sometimes_slow(decision):
        if slow.is_set():
            time.sleep(1000)
        return decision.actions[decision.seed % len(decision.actions)]

    env = vector.make("tictactoe", 8, seed=3, opponent=sometimes_slow, seat=0, threads=2)
    first = env.cells.copy()
    slow.set()
    timer = interrupt_soon()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        env.step([4] * 8)
    timer.join()
    assert time.monotonic() - started < 30
    slow.clear()
    with pytest.raises(parlor.Conflict, match="reset the batch"):
        env.step([4] * 8)
    env.reset(seed=3)
    assert (env.cells == first).all()
    env.step([4] * 8)
    assert env.forfeits == 0
