"""A laboratory for game-playing agents.

>>> import parlor
>>> table = parlor.open("tictactoe").table(seed=1)
>>> table.actions[:3]
['a1', 'b1', 'c1']
>>> result = parlor.match("tictactoe", "mcts(sims=50)", "random", pairs=20, seed=1)
>>> result.score > 0.6
True
"""

from parlor._agents import Agent, Decision, agent
from parlor._equilibria import Equilibrium, Exploited, Response, equilibrium, exploit, respond
from parlor._exact import (
    Analysis,
    Deals,
    Distribution,
    Estimate,
    Odds,
    Regret,
    Sequential,
    Solved,
    analyse,
    deals,
    odds,
    regret,
    solve,
    stats,
)
from parlor._games import AgentInfo, Game, Table, games, open
from parlor._native import AgentFault, Conflict, ParlorError, Unsupported, __version__
from parlor._runs import (
    ExperimentResult,
    MatchResult,
    Rows,
    TournamentResult,
    Training,
    experiment,
    match,
    tournament,
    train,
)

__all__ = [
    "Agent",
    "AgentFault",
    "AgentInfo",
    "Analysis",
    "Conflict",
    "Deals",
    "Decision",
    "Distribution",
    "Equilibrium",
    "Estimate",
    "ExperimentResult",
    "Exploited",
    "Game",
    "MatchResult",
    "Odds",
    "ParlorError",
    "Regret",
    "Response",
    "Rows",
    "Sequential",
    "Solved",
    "Table",
    "TournamentResult",
    "Training",
    "Unsupported",
    "__version__",
    "agent",
    "analyse",
    "deals",
    "equilibrium",
    "experiment",
    "exploit",
    "games",
    "match",
    "odds",
    "open",
    "regret",
    "respond",
    "solve",
    "stats",
    "tournament",
    "train",
]
