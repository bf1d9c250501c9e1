"""Runs on a Ray cluster that loses workers and a node. The cluster is in a network of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlor

pytest.importorskip("ray")


def _can_unshare() -> bool:
    if not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not _can_unshare(), reason="a network of its own needs the rights for `unshare -n`")
def test_workers_and_a_node_are_killed(tmp_path):
    script = Path(__file__).with_name("ray_cluster.py")
    command = f"ip link set lo up && exec {sys.executable} {script} {tmp_path}"
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    run = subprocess.run(
        ["unshare", "-n", "bash", "-c", command], capture_output=True, text=True, timeout=400, env=environment
    )
    assert run.returncode == 0, run.stdout + run.stderr
    parlor.match("dominoes(rules=myers)", "expert", "pimc(worlds=40)", pairs=240, seed=3, out=tmp_path / "whole")
    for file in ("games.jsonl", "match.json", "result.json"):
        assert (tmp_path / "shards/run" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()
