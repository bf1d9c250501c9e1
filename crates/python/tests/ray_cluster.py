"""Starts two nodes, plays a match on them, and kills the driver, workers and a node meanwhile. Run by `test_ray.py`."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from ray.cluster_utils import Cluster

FOLDER = Path(sys.argv[1])
CALL = [
    *(sys.executable, "-m", "parlor.ray", "match", "dominoes(rules=myers)", "expert", "pimc(worlds=40)"),
    *("--pairs", "240", "--seed", "3", "--shards", "24", "--out", str(FOLDER / "shards")),
]


def finished() -> int:
    return len(list((FOLDER / "shards").glob("*.shard")))


def wait_for(shards: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 120
    while finished() < shards and process.poll() is None:
        assert time.monotonic() < until, f"{finished()} shards after two minutes"
        time.sleep(0.02)


def tasks() -> list[int]:
    """The processes of this cluster that play a shard: descendants of this one."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    parents = {int(row[0]): int(row[1]) for row in rows}

    def ours(pid: int) -> bool:
        while pid in parents and pid != 0:
            if pid == os.getpid():
                return True
            pid = parents[pid]
        return False

    return [int(row[0]) for row in rows if len(row) == 3 and row[2].startswith("ray::_task") and ours(int(row[0]))]


def main() -> None:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()
    call = [*CALL, "--address", cluster.address]
    # The driver is killed first; another one goes on.
    driver = subprocess.Popen(call)
    wait_for(3, driver)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    kept = finished()
    driver = subprocess.Popen(call)
    wait_for(kept + 2, driver)
    killed = 0
    while killed == 0 and driver.poll() is None:
        for pid in tasks():
            try:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            except ProcessLookupError:
                pass
    assert killed > 0, "all was played before a worker could be killed"
    wait_for(kept + 4, driver)
    remover = threading.Thread(target=cluster.remove_node, args=(second,), kwargs={"allow_graceful": False})
    remover.start()
    code = driver.wait(timeout=240)
    remover.join()
    assert code == 0, f"the driver ended with {code}"
    print(f"{kept} shards before the driver was killed, {killed} workers and a node killed, {finished()} shards")
    cluster.shutdown()


if __name__ == "__main__":
    main()
