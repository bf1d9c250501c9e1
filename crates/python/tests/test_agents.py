"""Agents written in Python: seated like any other, and held to the same rules."""

import random
import time

import pytest
from common import GAMES, interrupt_soon

import parlor


@parlor.agent
def first(decision):
    return decision.actions[0]


@parlor.agent
def by_number(decision):
    return random.Random(decision.seed).choice(decision.numbers)


@pytest.mark.parametrize("spec", GAMES)
def test_functions_play_every_game(spec):
    result = parlor.match(spec, by_number, "random", pairs=3, seed=2, threads=1)
    assert result.forfeits == (0, 0) and result.agents == ("by_number", "random")
    assert parlor.match(spec, by_number, "random", pairs=3, seed=2, threads=2) == result


@parlor.agent
class Watcher:
    """Knows the game by what it was told."""

    def begin(self, game, seat):
        self.game, self.own, self.heard = game, seat, []

    def watch(self, actor, action):
        self.heard.append((actor, action))

    def act(self, decision):
        assert decision.game == self.game and decision.seat == self.own
        assert decision.mask()[decision.numbers].all() and decision.mask().sum() == len(decision.numbers)
        assert decision.view["seat"] == self.own and decision.seconds is None
        table = parlor.open(self.game).table(auto_chance=False)
        table.replay(" ".join(action for _, action in self.heard))
        assert (table.cells(self.own) == decision.cells()).all()
        assert table.actions == decision.actions
        return decision.actions[-1]

    def end(self, payoffs):
        assert len(payoffs) == 2


def test_classes_are_told_what_their_seat_sees():
    result = parlor.match("tictactoe", Watcher, first, pairs=4, seed=1)
    assert result.forfeits == (0, 0), result.forfeit_reasons
    assert result.agents[0] == "watcher"


def raising(decision):
    raise ZeroDivisionError("what\nnow")


def nonsense(decision):
    return "z9"


def wrong_number(decision):
    return 10**6


def nothing(decision):
    return None


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (raising, "raised ZeroDivisionError: what now"),
        (nonsense, "illegal action"),
        (wrong_number, "illegal action"),
        (nothing, "illegal action"),
    ],
)
def test_agents_that_misbehave_forfeit(agent, reason):
    result = parlor.match("tictactoe", agent, "random", pairs=3, seed=1)
    assert result.forfeits == (6, 0) and result.losses == 6
    assert reason in str(result.forfeit_reasons[0])
    table = parlor.open("tictactoe").table()
    table.seat(0, agent)
    with pytest.raises(parlor.AgentFault, match="seat 0 forfeits"):
        table.agent_act()
    assert table.is_over and table.payoffs == list(table.game.payoff_range)


def looping(decision):
    while True:
        pass


def sleeping(decision):
    time.sleep(1000)


@pytest.mark.parametrize("hanging", [looping, sleeping])
def test_agents_that_hang_forfeit(hanging):
    agent = parlor.agent(hanging, timeout=0.2)
    started = time.monotonic()
    result = parlor.match("tictactoe", agent, "random", pairs=1, seed=1, threads=1)
    assert result.forfeits == (2, 0) and "ran out of time" in str(result.forfeit_reasons)
    clocked = parlor.match("tictactoe", hanging, "random", pairs=1, seed=1, time="100ms", threads=1)
    assert clocked.forfeits == (2, 0)
    assert time.monotonic() - started < 30


def test_classes_that_cannot_be_made_forfeit():
    class Broken:
        def __init__(self):
            raise OSError("no file")

        def act(self, decision):
            return 0

    assert parlor.match("tictactoe", Broken, "random", pairs=1).forfeits == (2, 0)


def test_an_agent_plays_itself():
    assert parlor.match("tictactoe", nothing, nothing, pairs=1).forfeits == (1, 1)
    assert parlor.match("tictactoe", first, first, pairs=1).forfeits == (0, 0)


def test_what_is_no_agent_is_refused():
    with pytest.raises(TypeError, match="an agent is a function"):
        parlor.match("tictactoe", 7, "random")
    with pytest.raises(TypeError, match="has no method"):
        parlor.agent(int)
    with pytest.raises(ValueError, match="timeout"):
        parlor.agent(first.what, timeout=-1)
    with pytest.raises(parlor.ParlorError, match="cannot be the name"):
        parlor.match("tictactoe", parlor.agent(raising, name="random"), "mcts")
    with pytest.raises(ValueError, match="two agents are named"):
        parlor.match("tictactoe", parlor.agent(raising, name="x"), parlor.agent(nothing, name="x"))


@pytest.mark.parametrize(
    "call",
    [
        lambda: parlor.match("connect", "mcts(sims=3000)", "mcts(sims=3000)", pairs=10**6),
        lambda: parlor.match("tictactoe", sleeping, "random", pairs=1, threads=1),
        lambda: parlor.tournament("connect", ["mcts(sims=3000)", "mcts(sims=3001)"], pairs=10**6),
        lambda: parlor.solve("connect(width=7, height=6)", threads=1),
        lambda: parlor.analyse("connect", "mcts(sims=1000000000)"),
    ],
    ids=["match", "python agent", "tournament", "solve", "analyse"],
)
def test_control_c_ends_every_long_call(call):
    started = time.monotonic()
    timer = interrupt_soon()
    with pytest.raises(KeyboardInterrupt):
        call()
    timer.join()
    assert time.monotonic() - started < 30


def test_control_c_ends_a_training_and_keeps_it(tmp_path):
    timer = interrupt_soon(1)
    file = tmp_path / "learnt.parlor"
    with pytest.raises(KeyboardInterrupt):
        parlor.train("connect", "collective", file, rounds=10**5, round=100, test_matches=0)
    timer.join()
    assert file.exists()
