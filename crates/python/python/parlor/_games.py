"""Games and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlor import _native
from parlor._agents import Agent, _split


@dataclass(frozen=True)
class AgentInfo:
    """An agent of a game, as a list shows it."""

    name: str
    summary: str
    learns: bool
    sees_all: bool


def games() -> dict[str, str]:
    """Returns the names of all games, with a line about each.

    >>> sorted(parlor.games())
    ['checkers', 'connect', 'darkchess', 'dominoes', 'minesweeper', 'tictactoe']
    """
    return dict(_native.games())


def open(spec: str | Game) -> Game:
    """Opens a game by its spec, `name(key=value, …)`.

    >>> parlor.open("connect(width=7, height=6)")
    parlor.open('connect(width=7, height=6, row=4)')
    >>> parlor.open("conect")
    Traceback (most recent call last):
    parlor.ParlorError: there is no game named `conect` (did you mean `connect`?); known: dominoes, connect, tictactoe, checkers, darkchess, minesweeper
    """
    return spec if isinstance(spec, Game) else Game(spec)


class Game:
    """A game with its rules. Pickles as its spec."""

    __slots__ = ("_native",)

    def __init__(self, spec: str) -> None:
        self._native = _native.Game(spec)

    @property
    def name(self) -> str:
        """The name in specs."""
        return self._native.name

    @property
    def spec(self) -> str:
        """The full form, defaults included."""
        return self._native.spec

    @property
    def seats(self) -> int:
        """The number of seats, 1 or 2."""
        return self._native.seats

    @property
    def rules(self) -> str:
        """The rules for a person who has never played."""
        return self._native.rules

    @property
    def is_open(self) -> bool:
        """Whether nothing is hidden from any seat."""
        return self._native.is_open

    @property
    def payoff_range(self) -> tuple[float, float]:
        """The lowest and the highest payoff."""
        return self._native.payoff_range

    @property
    def actions(self) -> int:
        """How many numbers actions have: 0 … `actions` - 1 are fixed for a game and its options."""
        return self._native.actions

    @property
    def grid(self) -> tuple[int, int]:
        """Rows and columns of the grid of cells."""
        return self._native.grid

    @property
    def beside(self) -> list[str]:
        """The names of the cells beside the grid, which follow it in every list of cells."""
        return self._native.beside

    @property
    def cells(self) -> int:
        """How many cells there are: those of the grid and those beside it."""
        rows, columns = self.grid
        return rows * columns + len(self.beside)

    @property
    def symbols(self) -> list[tuple[str, str]]:
        """Text and meaning of each symbol; a cell holds a place in this list."""
        return self._native.symbols

    @property
    def agents(self) -> list[AgentInfo]:
        """The agents that can play it."""
        return [AgentInfo(*info) for info in self._native.agents()]

    def agent_spec(self, spec: str) -> str:
        """Returns an agent's full form, defaults included."""
        return self._native.agent_spec(spec)

    def action_text(self, number: int) -> str | None:
        """Returns the text of the action that has a number.

        >>> parlor.open("tictactoe").action_text(0)
        'a1'
        """
        return self._native.action_text(number)

    def perft(self, depth: int, position: str | None = None) -> list[int]:
        """Returns for each length 1 … `depth` the number of action sequences.

        >>> parlor.open("tictactoe").perft(3)
        [9, 72, 504]
        """
        return self._native.perft(depth, position)

    def table(self, seed: int = 0, position: str | None = None, *, auto_chance: bool = True) -> Table:
        """Lays a table for a match. With `auto_chance`, dealing, drawing and flipping happen by themselves.

        >>> table = parlor.open("dominoes(rules=myers)").table(seed=3)
        >>> len(table.actions) > 0 and table.mover in (0, 1)
        True
        """
        return Table(self._native.open_table(seed, position, auto_chance=auto_chance), self)

    def sandbox(self, seed: int = 0, position: str | None = None, *, auto_chance: bool = False) -> Table:
        """Lays a table for algorithms, at which nothing is secret: what chance may do can be listed and chosen.

        >>> parlor.open("dominoes(rules=myers)").sandbox().chances()[0]
        ('deal:00', 0.1)
        """
        return Table(self._native.open_table(seed, position, auto_chance=auto_chance, sandbox=True), self)

    def planes(self, cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Returns the cells of the grid as planes: for each symbol 1 where the cell shows it. Cells beside the grid are left out.

        >>> game = parlor.open("connect(width=7, height=6)")
        >>> game.planes(game.table().cells()).shape
        (3, 6, 7)
        """
        rows, columns = self.grid
        grid = np.asarray(cells)[..., : rows * columns].reshape(*cells.shape[:-1], 1, rows, columns)
        symbols = np.arange(len(self.symbols), dtype=np.uint8).reshape(-1, 1, 1)
        return (grid == symbols).astype(np.uint8)

    def __repr__(self) -> str:
        return f"parlor.open({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Game, (self.spec,))


class Table:
    """One match, step by step. Every method that shows something shows what a seat may know; without a seat, the one to move.

    Tables can be copied and pickled in the middle of a match. The pickle holds the game, the seed and the actions; agents at the
    table are not part of it. Never unpickle what you do not trust: a pickle can run any program.

    >>> import copy, pickle
    >>> table = parlor.open("dominoes").table(seed=5)
    >>> table.act(table.actions[0])
    >>> again = pickle.loads(pickle.dumps(table))
    >>> again.view() == table.view() == copy.copy(table).view()
    True
    """

    __slots__ = ("_native", "game")

    def __init__(self, native: _native.Table, game: Game) -> None:
        self._native = native
        self.game = game

    @property
    def mover(self) -> int | None:
        """The seat to move; `None` if chance is to act or the match is over."""
        return self._native.mover

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self._native.is_over

    @property
    def is_chance(self) -> bool:
        """Whether chance is to act."""
        return self._native.is_chance

    @property
    def is_sandbox(self) -> bool:
        """Whether nothing is secret here, so that chance can be listed and chosen."""
        return self._native.is_sandbox

    @property
    def actions(self) -> list[str]:
        """What the seat to move may do; empty unless a seat is to move."""
        return self._native.actions

    @property
    def numbers(self) -> list[int]:
        """The numbers of what the seat to move may do, in the order of `actions`."""
        return self._native.numbers

    def mask(self) -> NDArray[np.bool_]:
        """Returns true for every number that the seat to move may choose: shape `(game.actions,)`.

        >>> parlor.open("tictactoe").table().mask().sum()
        np.int64(9)
        """
        return self._native.mask()

    def cells(self, seat: int | None = None) -> NDArray[np.uint8]:
        """Returns the symbol of each cell of what a seat sees: uint8, shape `(game.cells,)`, the grid row by row from the top,
        then the cells beside it."""
        return self._native.cells(seat)

    def act(self, action: str | int, seat: int | None = None) -> None:
        """Carries out what the seat to move chooses, given as a text or by its number.

        >>> table = parlor.open("tictactoe").table()
        >>> table.act("b2"); table.act(0)
        >>> table.act("b2")
        Traceback (most recent call last):
        parlor.ParlorError: move: `b2` is not legal here (legal: b1 c1 a2 c2 a3 b3 c3)
        """
        self._native.act(action, seat)

    def chance(self) -> bool:
        """Lets chance act once; `False` if chance is not to act."""
        return self._native.chance()

    def chances(self) -> list[tuple[str, float]]:
        """Returns what chance may do next and how likely each is, where that shows nothing that is hidden: in games without
        secrets, in sandboxes and on imagined tables."""
        return self._native.chances()

    def replay(self, text: str) -> None:
        """Carries out actions of a recorded game, of seats or of chance, with spaces between.

        >>> table = parlor.open("connect(width=7, height=6)").table()
        >>> table.replay("4 4 3")
        >>> table.mover
        1
        """
        self._native.replay(text)

    def undo(self) -> bool:
        """Takes back the last action and the chance before it, in games that hide nothing; `False` at the start."""
        return self._native.undo()

    def seat(self, seat: int, agent: str | Agent | Any) -> str:
        """Seats an agent, which is shown everything that the seat has seen, and returns its full form."""
        (spec,), guests = _split([agent])
        return self._native.seat_agent(seat, spec, guests)

    def agent_act(self) -> str:
        """Lets the agent in the seat to move decide and carries that out. Returns the action.

        >>> table = parlor.open("tictactoe").table()
        >>> table.seat(0, "alphabeta").split("(")[0]
        'alphabeta'
        >>> table.agent_act() in parlor.open("tictactoe").table().actions
        True
        """
        return self._native.agent_act()

    def play(self) -> list[float]:
        """Lets the agents play to the end and returns the payoffs. Every seat has an agent."""
        while not self.is_over:
            if self.is_chance:
                self.chance()
            else:
                try:
                    self.agent_act()
                except _native.AgentFault:
                    break
        payoffs = self.payoffs
        assert payoffs is not None
        return payoffs

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """Returns everything that a seat sees, as plain data in a versioned envelope."""
        return self._native.view(seat)

    def draw(self, seat: int | None = None) -> str:
        """Returns a drawing of what a seat sees."""
        return self._native.draw(seat)

    def status(self, seat: int | None = None) -> str:
        """Returns the score and other facts beside the board, in one line."""
        return self._native.status(seat)

    def position(self, seat: int | None = None) -> str | None:
        """Returns the position text of what a seat sees; `None` where the position form cannot express it."""
        return self._native.position(seat)

    def seen(self, seat: int | None = None) -> list[tuple[int | None, str]]:
        """Returns what a seat has seen happen, first to last: who did it (`None`: chance), and what it saw of it."""
        return self._native.seen(seat)

    @property
    def payoffs(self) -> list[float] | None:
        """What each seat got; `None` before the end."""
        return self._native.payoffs

    def saved(self, names: list[str] | None = None) -> dict[str, Any]:
        """Returns the match as a saved game, the truth included. `names` says who sits where."""
        return self._native.saved(names or [f"player {seat}" for seat in range(self.game.seats)])

    def copy(self) -> Table:
        """Returns a table with the same match so far and empty seats.

        The copy has the same future of chance: a search on copies sees what will be drawn. `imagine` gives tables that do not.
        """
        return Table(self._native.copy(), self.game)

    def imagine(self, seat: int | None = None, seed: int = 0) -> Table:
        """Returns a sandbox in a state that `seat` cannot tell from this one, with a future of its own. For searches: what is
        hidden from the seat is drawn anew, by `seed`.

        >>> table = parlor.open("dominoes(rules=myers)").table(seed=1)
        >>> world = table.imagine(seed=2)
        >>> world.view(table.mover) == table.view(table.mover)
        True
        """
        chosen = self.mover if seat is None else seat
        if chosen is None:
            raise ValueError("whose view? No seat is to move: give a seat")
        return Table(self._native.imagine(chosen, seed), self.game)

    def __copy__(self) -> Table:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Table:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self._native.state(),))

    def __repr__(self) -> str:
        return f"<parlor.Table of {self.game.spec}>"


def _restore(state: Any) -> Table:
    return Table(_native.restore_table(state), Game(state[0]))
