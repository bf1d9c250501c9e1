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
from parlor._exact import Analysis, Estimate, Exploited, Odds, Solved, analyse, exploit, odds, solve, stats
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
    "Decision",
    "Estimate",
    "ExperimentResult",
    "Exploited",
    "Game",
    "MatchResult",
    "Odds",
    "ParlorError",
    "Rows",
    "Solved",
    "Table",
    "TournamentResult",
    "Training",
    "Unsupported",
    "__version__",
    "agent",
    "analyse",
    "experiment",
    "exploit",
    "games",
    "match",
    "odds",
    "open",
    "solve",
    "stats",
    "tournament",
    "train",
]
