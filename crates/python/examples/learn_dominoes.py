"""A small network learns dominoes by playing itself, with numpy alone: policy gradient with a value as baseline.

    python learn_dominoes.py train learnt.npz --updates 1500
    python learn_dominoes.py match learnt.npz expert --pairs 1000
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import parlor
from parlor import vector

GAME = "dominoes(rules=myers)"
HIDDEN = 64
MATCHES = 256
#: Steps of each match between two updates. Matches of this game have about ten.
STEPS = 40

Array = np.ndarray[Any, Any]
Weights = dict[str, Array]


def start(rng: np.random.Generator, actions: int) -> Weights:
    """Returns weights, and the inputs: every pair of a cell and a symbol that random play shows."""
    env = vector.make(GAME, 1000, seed=1)
    pairs = set()
    offsets = 256 * np.arange(env.game.cells)
    for _ in range(60):
        pairs.update(np.unique(offsets + env.cells).tolist())
        env.step(env.sample())
    inputs = np.full(256 * env.game.cells, len(pairs), dtype=np.int64)
    inputs[sorted(pairs)] = np.arange(len(pairs))
    return {
        "inputs": inputs,
        "w1": rng.normal(0, 0.1, (len(pairs) + 1, HIDDEN)),
        "b1": np.zeros(HIDDEN),
        "w2": rng.normal(0, 0.01, (HIDDEN, actions)),
        "b2": np.zeros(actions),
        "v": np.zeros(HIDDEN),
    }


def look(weights: Weights, cells: Array) -> Array:
    """Returns the inputs of each row of cells."""
    places = weights["inputs"][256 * np.arange(cells.shape[1]) + cells]
    rows = np.zeros((len(cells), len(weights["w1"])))
    rows[np.arange(len(cells))[:, None], places] = 1
    return rows


def think(weights: Weights, rows: Array, masks: Array) -> tuple[Array, Array, Array]:
    """Returns the hidden layer, the probability of each action, and the value."""
    hidden = np.tanh(rows @ weights["w1"] + weights["b1"])
    logits = np.where(masks, hidden @ weights["w2"] + weights["b2"], -np.inf)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return hidden, odds / odds.sum(axis=1, keepdims=True), hidden @ weights["v"]


def gradients(weights: Weights, rows: Array, masks: Array, actions: Array, results: Array) -> Weights:
    """Returns the gradients of the loss: policy, value, and a little for playing alike."""
    count = len(rows)
    hidden, odds, values = think(weights, rows, masks)
    advantage = results - values
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    chosen = np.zeros_like(odds)
    chosen[np.arange(count), actions] = 1
    logs = np.log(np.maximum(odds, 1e-12))
    entropy = -(odds * logs).sum(axis=1, keepdims=True)
    to_logits = (odds - chosen) * advantage[:, None] + 0.01 * odds * (logs + entropy)
    to_value = values - results
    to_hidden = (to_logits @ weights["w2"].T + np.outer(to_value, weights["v"])) * (1 - hidden**2)
    return {
        "w1": rows.T @ to_hidden / count,
        "b1": to_hidden.mean(axis=0),
        "w2": hidden.T @ to_logits / count,
        "b2": to_logits.mean(axis=0),
        "v": hidden.T @ to_value / count,
    }


def draw(odds: Array, rng: np.random.Generator) -> Array:
    """Returns an action for each row, by its odds."""
    sums = odds.cumsum(axis=1)
    return (sums > rng.random((len(odds), 1)) * sums[:, -1:]).argmax(axis=1)


def train(updates: int, seed: int = 1) -> Weights:
    """Plays against itself and learns after each `STEPS` steps."""
    rng = np.random.default_rng(seed)
    env = vector.make(GAME, MATCHES, seed=seed)
    scale = max(map(abs, env.game.payoff_range))
    weights = start(rng, env.game.actions)
    moments = {name: (np.zeros_like(w), np.zeros_like(w)) for name, w in weights.items() if name != "inputs"}
    for update in range(1, updates + 1):
        steps = []
        for _ in range(STEPS):
            rows, masks, movers = look(weights, env.cells), env.masks.copy(), env.movers.copy()
            actions = draw(think(weights, rows, masks)[1], rng)
            rewards, over = env.step(actions)
            steps.append((rows, masks, movers, actions, rewards.copy(), over.copy()))
        # From the last step back: what each seat got in the end. Matches that are not over say nothing.
        results, known = np.zeros((MATCHES, 2)), np.zeros(MATCHES, dtype=bool)
        kept: list[tuple[Array, ...]] = []
        for rows, masks, movers, actions, rewards, over in reversed(steps):
            results[over], known[over] = rewards[over] / scale, True
            own = results[np.arange(MATCHES), movers]
            choice = known & (masks.sum(axis=1) > 1)
            kept.append((rows[choice], masks[choice], actions[choice], own[choice]))
        rows, masks, actions, own = (np.concatenate(parts) for parts in zip(*kept, strict=True))
        rate = 0.01 * (1 - (update - 1) / updates)
        for name, gradient in gradients(weights, rows, masks, actions, own).items():
            mean, square = moments[name]
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            weights[name] -= rate * mean / (np.sqrt(square) + 1e-6)
    return weights


def agent(weights: Weights, name: str = "learnt") -> parlor.Agent:
    """Returns frozen weights as an agent: the likeliest action."""

    def act(decision: parlor.Decision) -> int:
        odds = think(weights, look(weights, decision.cells()[None]), decision.mask()[None])[1][0]
        best = np.flatnonzero(odds >= odds.max() - 1e-12)
        return int(random.Random(decision.seed).choice(best.tolist()))

    return parlor.agent(act, name=name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["train", "match"])
    parser.add_argument("file")
    parser.add_argument("opponent", nargs="?", default="expert")
    parser.add_argument("--updates", type=int, default=1500)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.what == "train":
        np.savez(args.file, **train(args.updates, args.seed))
        return
    with np.load(args.file) as stored:
        learnt = agent(dict(stored))
    result = parlor.match(GAME, learnt, args.opponent, pairs=args.pairs, seed=args.seed, rows=False)
    print(f"{result.wins} won, {result.draws} drawn, {result.losses} lost against {result.agents[1]}")
    print(f"score {result.score:.3f}, Elo {result.elo:+.0f} [{result.elo_low:+.0f} … {result.elo_high:+.0f}] (95 %)")


if __name__ == "__main__":
    main()
