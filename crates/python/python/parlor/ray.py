"""Runs on a Ray cluster: `python -m parlor.ray run|match|tournament`.

Each shard of a run is a task. What is finished is in the folder, so the same call goes on after anything was killed, the driver
included, and the merged run has the bytes of one on a single machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parlor import _native

__all__ = ["NodeLost", "main", "play"]

#: How long to wait for a task before the progress is shown again, in seconds.
_LOOK = 0.5
#: How often a shard runs again after Ray has given it up.
_MOST_FAILURES = 20


class NodeLost(RuntimeError):
    """The node that the call is connected to has died. What is finished is kept."""


def _task(plan: str, number: int, shards: int, threads: int) -> bytes:
    """Plays a shard on a worker."""
    from parlor import _native

    return _native.play_shard(plan, number, shards, threads=threads, progress=None)


def play(
    plan: str, shards: int, out: Path, *, threads: int = 1, address: str | None = "auto", quiet: bool = False
) -> None:
    """Plays the shards of a plan that are missing in a folder, on a Ray cluster. A task whose worker or node dies runs again."""
    missing = [number for number in range(shards) if not _native.has_shard(plan, str(out), number, shards)]
    _say(quiet, f"{shards - len(missing)} of {shards} shards are there")
    if not missing:
        return
    import ray
    from ray.exceptions import LocalRayletDiedError, RayError, RayTaskError, TaskCancelledError

    ray.init(address=None if address == "local" else address, log_to_driver=False, logging_level="ERROR")
    try:
        task = ray.remote(num_cpus=threads, max_retries=-1)(_task)
        waiting = {task.remote(plan, number, shards, threads): number for number in missing}
        failures = dict.fromkeys(missing, 0)
        started = time.monotonic()
        try:
            while waiting:
                ready, _ = ray.wait(list(waiting), num_returns=1, timeout=_LOOK)
                for reference in ready:
                    number = waiting.pop(reference)
                    try:
                        played = ray.get(reference)
                    except LocalRayletDiedError:
                        raise NodeLost("the node of this call has died; the same call goes on") from None
                    except (RayTaskError, TaskCancelledError):
                        raise
                    except RayError as error:
                        # Ray's own retries do not cover everything that happens when a node dies.
                        failures[number] += 1
                        if failures[number] > _MOST_FAILURES:
                            raise
                        _say(quiet, f"shard {number} runs again: {type(error).__name__}")
                        waiting[task.remote(plan, number, shards, threads)] = number
                        continue
                    _native.write_shard(str(out), number, shards, played)
                    done = shards - len(waiting)
                    _say(quiet, f"{done} of {shards} shards, {time.monotonic() - started:.1f} s")
        except BaseException:
            for reference in waiting:
                ray.cancel(reference, force=True)
            raise
    finally:
        ray.shutdown()


def _say(quiet: bool, text: str) -> None:
    if not quiet:
        print(text, file=sys.stderr, flush=True)


def _count(text: str) -> int:
    """Reads a number from 1 on."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError("a number from 1 on")
    return int(text)


def _elos(text: str) -> list[float]:
    """Reads two differences in Elo."""
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError("two differences in Elo, such as 0,10") from None
    return [first, second]


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m parlor.ray", description="Runs in shards on a Ray cluster.")
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="run|match|tournament")
    run = kinds.add_parser("run", help="an experiment, by name or as a TOML file")
    run.add_argument("experiment")
    run.add_argument("--quick", action="store_true", help="the smaller version")
    run.add_argument("--trainings", type=_count, metavar="N", help="trainings of every arm")
    run.add_argument("--seed", type=int, metavar="S")
    duel = kinds.add_parser("match", help="two agents, in pairs")
    duel.add_argument("game")
    duel.add_argument("agents", nargs=2, metavar="AGENT")
    duel.add_argument("--sprt", type=_elos, metavar="E0,E1", help="sequential test of two differences in Elo")
    many = kinds.add_parser("tournament", help="everyone against everyone")
    many.add_argument("game")
    many.add_argument("agents", nargs="+", metavar="AGENT")
    many.add_argument("--gauntlet", action="store_true", help="the first against all others")
    for pairs in (duel, many):
        pairs.add_argument("--pairs", type=_count, default=100, metavar="N")
        pairs.add_argument("--seed", type=int, default=1, metavar="S")
        pairs.add_argument("--opening", type=int, default=0, metavar="N", help="random moves first")
        pairs.add_argument("--session", type=int, default=0, metavar="N", help="pairs of a session")
    for kind in (run, duel, many):
        kind.add_argument("--shards", type=_count, default=64, metavar="N", help="parts of the run (64)")
        kind.add_argument("--threads", type=_count, default=1, metavar="T", help="threads, and cores, of each shard")
        kind.add_argument("--address", default="auto", help="the cluster; `local` starts one on this machine")
        kind.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder of the shards")
        kind.add_argument("--json", action="store_true", help="print the result as one JSON document")
    return parser


def _plan(args: argparse.Namespace) -> str:
    if args.kind == "run":
        return _native.plan_experiment(args.experiment, args.quick, args.trainings, args.seed)
    asked: dict[str, Any] = {
        "game": args.game,
        "agents": args.agents,
        "pairs": args.pairs,
        "seed": args.seed,
        "time": None,
        "opening": args.opening,
        "session": args.session,
        "ponder": False,
        "sprt": getattr(args, "sprt", None),
        "gauntlet": getattr(args, "gauntlet", False),
    }
    return _native.plan_match(asked) if args.kind == "match" else _native.plan_tournament(asked)


def _tell(merged: dict[str, Any]) -> None:
    if merged["kind"] == "match":
        verdict = merged["verdict"]
        first, second = merged["manifest"]["agents"]
        print(f"{first} against {second}: {verdict['wins']} won, {verdict['draws']} drawn, {verdict['losses']} lost")
        print(f"Elo {verdict['elo']} [{verdict['elo_low']} … {verdict['elo_high']}]")
    elif merged["kind"] == "tournament":
        for agent in merged["standings"]["agents"]:
            print(f"{agent['rank']:3}  {agent['agent']}  Elo {agent['elo']}")
    print(f"in {merged['folder']}")


def main(words: Sequence[str] | None = None) -> int:
    """Runs what the command line asks for and returns the exit code."""
    args = _arguments().parse_args(words)
    try:
        plan = _plan(args)
        play(plan, args.shards, args.out, threads=args.threads, address=args.address, quiet=args.json)
        text = _native.merge(str(args.out), str(args.out / "run"), threads=args.threads, progress=None)
    except _native.ParlorError as error:
        print(f"parlor: {error}", file=sys.stderr)
        return 2
    except NodeLost as error:
        print(f"parlor: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted; the same call goes on", file=sys.stderr)
        return 130
    merged = json.loads(text)
    if args.json:
        print(json.dumps(merged))
    else:
        _tell(merged)
    return 0


if __name__ == "__main__":
    sys.exit(main())
