"""MaskablePPO of sb3-contrib learns connect four on a small board against a search.

    pip install sb3-contrib
    python learn_connect_sb3.py --steps 100000
"""

from __future__ import annotations

import argparse

import numpy as np
from sb3_contrib import MaskablePPO

import parlor
from parlor import gymnasium

GAME = "connect(width=5, height=4, row=3)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--opponent", default="mcts(sims=10)")
    parser.add_argument("--pairs", type=int, default=200)
    args = parser.parse_args()
    env = gymnasium.make(GAME, opponent=args.opponent)
    model = MaskablePPO("MultiInputPolicy", env, seed=1, verbose=0)
    model.learn(args.steps)

    @parlor.agent
    def ppo(decision: parlor.Decision) -> int:
        mask = decision.mask()
        seen = {"observation": decision.cells(), "action_mask": mask.astype(np.int8)}
        action, _ = model.predict(seen, action_masks=mask, deterministic=True)
        return int(action)

    for opponent in ("random", args.opponent):
        result = parlor.match(GAME, ppo, opponent, pairs=args.pairs, seed=1, opening=2, rows=False)
        print(f"against {opponent}: score {result.score:.3f}, Elo [{result.elo_low} … {result.elo_high}] (95 %)")


if __name__ == "__main__":
    main()
