"""Agents written in Python."""

from __future__ import annotations

import ctypes
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from parlor._native import Decision

__all__ = ["Agent", "Decision", "agent"]

_METHODS = ("begin_session", "begin", "watch", "end")


@dataclass(frozen=True)
class Agent:
    """An agent written in Python, made by `parlor.agent`. It is seated wherever a spec is."""

    name: str
    #: The function or the class.
    what: Any
    #: How many seconds a call may take.
    timeout: float | None = None

    def make(self) -> Any:
        """Returns an object with the method `act`: a new one of a class."""
        return self.what() if inspect.isclass(self.what) else _Function(self.what)


class _Function:
    """A function as an agent."""

    def __init__(self, act: Callable[[Decision], str | int]) -> None:
        self.act = act


class _Seated:
    """What the laboratory calls: methods that the agent does not have do nothing."""

    def __init__(self, made: Any) -> None:
        for name in _METHODS:
            setattr(self, name, getattr(made, name, _nothing))
        self.act = made.act


def _nothing(*_: Any) -> None:
    pass


def agent(
    what: Any = None, *, name: str | None = None, timeout: float | None = None
) -> Any:
    """Makes an agent from a function or a class.

    A function gets a `Decision` and returns one of its actions, as a text or as a number. A class has the method
    `act(decision)`, and may have `begin_session()`, `begin(game, seat)`, `watch(actor, action)` and `end(payoffs)`; each thread
    that plays makes one of its own. What it keeps between `begin` and `end` is its affair; `begin_session` forgets everything.
    It draws from `random.Random(decision.seed)` and nothing else, so that equal seeds give equal matches.

    An agent that raises an exception, answers nonsense, or takes longer than `timeout` seconds for a call forfeits the match.

    >>> import parlor
    >>> @parlor.agent
    ... def leftmost(decision):
    ...     return decision.actions[0]
    >>> leftmost.name
    'leftmost'
    >>> parlor.match("connect(width=7, height=6)", leftmost, "random", pairs=5, seed=1).forfeits
    (0, 0)
    """
    if what is None:
        return lambda what: agent(what, name=name, timeout=timeout)
    if isinstance(what, Agent):
        return what
    if inspect.isclass(what):
        if not callable(getattr(what, "act", None)):
            raise TypeError(f"{what.__name__} has no method `act(decision)`")
    elif not callable(what):
        raise TypeError("an agent is a function, or a class with the method `act(decision)`")
    if timeout is not None and not timeout > 0:
        raise ValueError("timeout is a number of seconds above 0")
    return Agent(name or _name_of(what), what, timeout)


def _name_of(what: Any) -> str:
    name = getattr(what, "__name__", type(what).__name__).strip("<>")
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


_Guest = tuple[str, Callable[[], Any], "float | None", bool]


def _split(agents: Sequence[str | Agent | Any]) -> tuple[list[str], list[_Guest]]:
    """Returns the specs of agents, and what those written in Python are made from."""
    specs: list[str] = []
    guests: dict[str, Agent] = {}
    for given in agents:
        if isinstance(given, str):
            specs.append(given)
            continue
        one = agent(given)
        if guests.setdefault(one.name, one) != one:
            raise ValueError(f"two agents are named `{one.name}`: give one of them another name")
        specs.append(one.name)
    return specs, [_guest(one) for one in guests.values()]


def _guest(one: Agent) -> _Guest:
    watches = inspect.isclass(one.what) and hasattr(one.what, "watch")
    return (one.name, lambda: _Seated(one.make()), one.timeout, watches)


class _LeftBehind(BaseException):
    """Ends an agent that does not answer."""


def _interrupt(ident: int) -> None:
    """Raises an exception in another thread, which sees it when it next runs Python code."""
    if ident:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(_LeftBehind))
