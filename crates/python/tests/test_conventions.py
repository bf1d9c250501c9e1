"""PettingZoo and Gymnasium: their own checks, for all games."""

import warnings

import pytest
from common import GAMES

import parlor

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test  # noqa: E402

from parlor import gymnasium as parlor_gymnasium  # noqa: E402
from parlor import pettingzoo as parlor_pettingzoo  # noqa: E402


@pytest.mark.parametrize("spec", GAMES)
def test_pettingzoo_checks_pass(spec):
    api_test(parlor_pettingzoo.env(spec), num_cycles=200)
    seed_test(lambda: parlor_pettingzoo.env(spec), num_cycles=50)
    render_test(lambda render_mode=None: parlor_pettingzoo.env(spec, render_mode=render_mode))


def test_pettingzoo_is_quick_enough_to_benchmark(monkeypatch, capsys):
    # The benchmark runs for five seconds of its own clock.
    import time

    clock = iter(float(second) for second in range(0, 10**6))
    monkeypatch.setattr(time, "time", lambda: next(clock))
    performance_benchmark(parlor_pettingzoo.env("connect(width=7, height=6)"))
    assert "turns per second" in capsys.readouterr().out.lower()


def test_an_illegal_action_loses_or_raises():
    env = parlor_pettingzoo.env("tictactoe")
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    low, high = env.game.payoff_range
    assert env.rewards == {"player_0": high, "player_1": low} and all(env.terminations.values())
    strict = parlor_pettingzoo.env("tictactoe", illegal="raise")
    strict.reset(seed=1)
    strict.step(0)
    with pytest.raises(parlor.ParlorError, match="not legal"):
        strict.step(0)
    with pytest.raises(ValueError, match="lose"):
        parlor_pettingzoo.env("tictactoe", illegal="maybe")


def test_pettingzoo_pays_what_the_game_pays():
    env = parlor_pettingzoo.env("connect(width=7, height=6)")
    env.reset(seed=1)
    table = parlor.open("connect(width=7, height=6)").table()
    for column in (3, 0, 3, 0, 3, 0, 3):
        env.step(column)
        table.act(column)
    assert table.is_over and [env.rewards[agent] for agent in env.possible_agents] == table.payoffs


@pytest.mark.parametrize("spec", GAMES)
def test_gymnasium_checks_pass(spec):
    opponent = "random" if parlor.open(spec).seats == 2 else None
    env = parlor_gymnasium.make(spec, opponent=opponent, illegal="lose")
    with warnings.catch_warnings():
        # Spaces of symbols are small whole numbers on purpose.
        warnings.simplefilter("ignore", UserWarning)
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("spec", GAMES)
def test_episodes_end_with_the_payoff_and_depend_on_the_seed(spec):
    opponent = "random" if parlor.open(spec).seats == 2 else None

    def episode(seed):
        env = parlor_gymnasium.make(spec, opponent=opponent)
        observation, info = env.reset(seed=seed)
        seen, rewards, over = [observation["observation"].tobytes()], [], False
        while not over:
            assert (info["action_mask"] == env.action_masks()).all()
            observation, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
            seen.append(observation["observation"].tobytes())
            rewards.append(reward)
        assert env.table.payoffs[env.own] == rewards[-1] and not any(rewards[:-1])
        return seen, rewards

    assert episode(3) == episode(3)
    assert len({str(episode(seed)) for seed in range(4)}) > 1


def test_an_opponent_written_in_python_and_wrong_ones():
    env = parlor_gymnasium.make("tictactoe", opponent=lambda decision: decision.actions[-1], seat=1)
    observation, _ = env.reset(seed=1)
    assert observation["observation"][8] == 1
    with pytest.raises(parlor.ParlorError, match="not legal"):
        env.step(8)
    with pytest.raises(ValueError, match="Name an opponent"):
        parlor_gymnasium.make("tictactoe")
    with pytest.raises(ValueError, match="no opponent"):
        parlor_gymnasium.make("minesweeper", opponent="random")
