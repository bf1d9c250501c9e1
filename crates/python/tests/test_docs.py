"""The examples in docstrings and in the guide run as they are written."""

import doctest
import importlib
from pathlib import Path

import pytest

import parlor

MODULES = [
    *("_agents", "_equilibria", "_exact", "_games", "_runs", "classify", "endgame", "gymnasium", "openspiel", "pettingzoo"),
    "vector",
]
GUIDE = Path(__file__).parents[3] / "docs/guide/python.md"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    if name in ("gymnasium", "pettingzoo"):
        pytest.importorskip(name)
    module = importlib.import_module(f"parlor.{name}")
    outcome = doctest.testmod(module, extraglobs={"parlor": parlor}, optionflags=FLAGS)
    assert outcome.attempted > 0 and outcome.failed == 0


def test_the_package():
    assert doctest.testmod(parlor, optionflags=FLAGS).failed == 0
    assert all(getattr(parlor, name) is not None for name in parlor.__all__)


@pytest.mark.skipif(not GUIDE.exists(), reason="the guide is not here")
def test_the_guide(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(str(GUIDE), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert outcome.attempted > 0 and outcome.failed == 0
