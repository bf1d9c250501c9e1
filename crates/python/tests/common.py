"""What the tests have in common."""

import random

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
