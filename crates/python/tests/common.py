"""What the tests have in common."""

import os
import random
import signal
import threading

import parlor

#: Every game, small where that is quicker.
GAMES = [
    "dominoes",
    "connect(width=7, height=6)",
    "tictactoe",
    "checkers",
    "darkchess",
    "minesweeper(rows=6, columns=5, mines=6)",
]


def walk(spec: str, seed: int, most: int = 60):
    """Yields a table after each of some random actions."""
    rng = random.Random(seed)
    table = parlor.open(spec).table(seed=seed)
    for _ in range(most):
        if table.is_over:
            return
        yield table
        table.act(rng.choice(table.actions))
    yield table


def finish(table: parlor.Table, seed: int) -> list[float]:
    """Plays on at random to the end."""
    rng = random.Random(seed)
    while not table.is_over:
        table.act(rng.choice(table.numbers))
    return table.payoffs


def interrupt_soon(seconds: float = 0.3) -> threading.Timer:
    """Presses Ctrl-C a little later."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def _scatter(x: int) -> int:
    bits = 2**64 - 1
    z = (x + 0x9E3779B97F4A7C15) & bits
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & bits
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & bits
    return z ^ (z >> 31)


def fork(seed: int, index: int) -> int:
    """Returns the seed of a branch, as the random streams of parlor have it."""
    return _scatter(_scatter(seed) ^ (index * 0xD1B54A32D192ED03 & (2**64 - 1)))
