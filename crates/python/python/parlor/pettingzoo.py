"""Games as PettingZoo environments (AEC).

>>> from parlor import pettingzoo
>>> env = pettingzoo.env("connect(width=7, height=6)")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     env.step(None if termination else int(info["action_mask"].argmax()))
>>> env.rewards
{}
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from parlor._games import Game, Table, open

__all__ = ["Env", "env"]


def env(game: str | Game, *, render_mode: str | None = None, illegal: str = "lose") -> Env:
    """Makes an environment of a game.

    An illegal action loses the match (`illegal="lose"`: the lowest payoff for its seat, the highest for the other) or raises
    `parlor.ParlorError` (`illegal="raise"`).
    """
    return Env(game, render_mode=render_mode, illegal=illegal)


class Env(AECEnv):  # type: ignore[misc]
    """A game with one agent for each seat, `player_0` and `player_1`.

    Observations have `observation`, the symbols of what the seat sees (uint8, shape `(game.cells,)`), and `action_mask` (int8, shape
    `(game.actions,)`), which is also in the infos. Payoffs are rewards at the end of a match.
    """

    metadata = {"render_modes": ["ansi", "human"], "name": "parlor_v0", "is_parallelizable": False, "render_fps": 2}

    def __init__(self, game: str | Game, *, render_mode: str | None = None, illegal: str = "lose") -> None:
        super().__init__()
        if illegal not in ("lose", "raise"):
            raise ValueError("illegal is 'lose' or 'raise'")
        self.game = open(game)
        self.render_mode = render_mode
        self.illegal = illegal
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        most = len(self.game.symbols) - 1
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, most, (self.game.cells,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self.table: Table | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Returns the space of what an agent sees."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Returns the space of what an agent does: the numbers of actions."""
        return self._actions[agent]

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _playing(self) -> Table:
        if self.table is None:
            raise RuntimeError("call reset() first")
        return self.table

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match. Equal seeds give equal deals and draws."""
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        self.table = self.game.table(seed=seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._choose_mover()

    def _mask(self, agent: str) -> np.ndarray[Any, np.dtype[np.int8]]:
        table = self._playing()
        if table.mover == self._seat(agent) and not self.terminations.get(agent, True):
            return table.mask().astype(np.int8)
        return np.zeros(self.game.actions, dtype=np.int8)

    def _choose_mover(self) -> None:
        table = self._playing()
        mover = table.mover
        if mover is not None:
            self.agent_selection = self.possible_agents[mover]
        for agent in self.agents:
            self.infos[agent] = {"action_mask": self._mask(agent)}

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """Returns what an agent sees."""
        return {"observation": self._playing().cells(self._seat(agent)), "action_mask": self._mask(agent)}

    def step(self, action: int | None) -> None:
        """Carries out what the agent to move does."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._playing()
        self._cumulative_rewards[agent] = 0.0
        number = -1 if action is None else int(action)
        if self.illegal == "lose" and not (0 <= number < self.game.actions and table.mask()[number]):
            low, high = self.game.payoff_range
            self._end({other: low if other == agent else high for other in self.agents})
        else:
            table.act(number)
            if table.is_over:
                payoffs = table.payoffs or []
                self._end(dict(zip(self.possible_agents, payoffs, strict=True)))
            else:
                self._clear_rewards()
                self._choose_mover()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _end(self, payoffs: dict[str, float]) -> None:
        self.rewards = payoffs
        self.terminations = dict.fromkeys(self.agents, True)
        for agent in self.agents:
            self.infos[agent] = {"action_mask": np.zeros(self.game.actions, dtype=np.int8)}
        # The agents leave one after the other, the one that has just acted last.
        self.agent_selection = self.agents[(self.agents.index(self.agent_selection) + 1) % len(self.agents)]

    def render(self) -> str | None:
        """Returns a drawing of what the agent to move sees (`ansi`), or prints it (`human`)."""
        if self.render_mode is None:
            return None
        text = self._playing().draw(self._seat(self.agent_selection))
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Does nothing: there is nothing to close."""
