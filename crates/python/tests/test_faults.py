"""Memory, threads, processes."""

import gc
import multiprocessing
import os
import threading

import pytest

import parlor
from parlor import vector


def _resident_kb() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
def test_a_million_tables_leave_no_memory_behind():
    native = parlor.open("tictactoe")._native

    def lay(count):
        for seed in range(count):
            native.open_table(seed).act(seed % 9)
        gc.collect()

    lay(100_000)
    before = _resident_kb()
    lay(900_000)
    assert _resident_kb() - before < 4096


def test_agents_and_batches_leave_no_threads_behind():
    def work():
        parlor.match("tictactoe", lambda decision: decision.numbers[0], "random", pairs=2, threads=2)
        vector.make("tictactoe", 100).step([0] * 100)

    work()
    before = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else threading.active_count()
    for _ in range(50):
        work()
    after = len(os.listdir("/proc/self/task")) if os.path.exists("/proc/self/task") else threading.active_count()
    assert after <= before + 4


def _play(seed):
    return parlor.match("tictactoe", lambda decision: decision.actions[0], "mcts(sims=20)", pairs=3, seed=seed).score


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_play_on(method):
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {method} here")
    expected = [_play(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(_play, range(4)).get(timeout=120) == expected


def test_threads_play_at_once():
    results = {}

    def play(seed):
        results[seed] = _play(seed)

    threads = [threading.Thread(target=play, args=(seed,), daemon=True) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert not any(thread.is_alive() for thread in threads)
    assert results == {seed: _play(seed) for seed in range(6)}


def test_a_table_is_used_by_one_thread_at_a_time():
    table = parlor.open("tictactoe").table()
    reached, go = threading.Event(), threading.Event()

    def waits(decision):
        reached.set()
        go.wait(60)
        return decision.actions[0]

    table.seat(0, waits)
    thread = threading.Thread(target=table.agent_act, daemon=True)
    thread.start()
    assert reached.wait(60)
    with pytest.raises(parlor.Conflict, match="another thread is using this table"):
        table.act("a1")
    go.set()
    thread.join(60)
    assert table.mover == 1
