"""The example of the guide learns, is frozen, and plays."""

import importlib.util
from pathlib import Path

import numpy as np

import parlor

EXAMPLE = Path(__file__).parents[1] / "examples/learn_dominoes.py"


def test_the_learner_of_the_guide_learns_and_plays(tmp_path):
    spec = importlib.util.spec_from_file_location("learn_dominoes", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    learnt = example.train(updates=3)
    assert all(np.isfinite(weights).all() for weights in learnt.values())
    # A few updates move the weights of what was chosen.
    assert np.abs(learnt["w2"]).max() > 0.01 and np.abs(learnt["v"]).max() > 0
    np.savez(tmp_path / "learnt.npz", **learnt)
    with np.load(tmp_path / "learnt.npz") as stored:
        agent = example.agent(dict(stored))
    result = parlor.match(example.GAME, agent, "random", pairs=10)
    assert result.forfeits == (0, 0)
