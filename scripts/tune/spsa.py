#!/usr/bin/env python3
"""Tunes numbers of the search by SPSA over fixed-node games.

    cargo build --release -p engine --features tune
    scripts/tune/spsa.py --engine target/release/hanuman --state makruk.json \\
        --variant makruk --nodes 6000 --iterations 3000 --openings makruk.epd \\
        makruk.rfp_per_ply makruk.null_margin makruk.futility_per_ply:15

Every iteration moves all numbers a random step up or down, plays the two sets against each other
(`--pairs` openings, each from both sides), and moves every number a little towards the set that
scored better. A number after a colon is the step in the last iteration; without one it is a
twentieth of the range that the engine declares.

The state file is rewritten after every iteration. The same command goes on where it stopped; a
higher --iterations goes on from a finished run.
"""

import argparse
import json
import os
import random
import sys
import time

import games
from games import Fault, declared

# Decay of the steps and of the gains (Spall's values), and the iterations, as part of all, by
# which the gains are delayed.
GAMMA = 0.101
ALPHA = 0.602
DELAY = 0.1


def chosen(texts, options):
    """The numbers to tune, from `name` or `name:step`."""
    numbers = {}
    for text in texts:
        name, _, step = text.partition(":")
        if name not in options:
            raise Fault(f"the engine has no number '{name}' (was it built with --features tune?)")
        default, low, high = options[name]
        try:
            step = float(step) if step else (high - low) / 20
        except ValueError:
            raise Fault(f"'{step}' is no step for {name}") from None
        if step <= 0:
            raise Fault(f"the step of {name} must be above 0")
        numbers[name] = {"value": float(default), "min": low, "max": high, "step": step}
    return numbers


def schedule(iteration, iterations, last_rate):
    """Factors for the steps and the rate of learning in an iteration, counted from 1."""
    step = (iterations / iteration) ** GAMMA
    delay = DELAY * iterations
    rate = last_rate * ((delay + iterations) / (delay + iteration)) ** ALPHA / step**2
    return step, rate


def whole(value, low, high, rng):
    """A whole number that is `value` on average, within the range."""
    floor = int(value // 1)
    return max(low, min(high, floor + (rng.random() < value - floor)))


def iterate(state, settings, play, rng):
    """One iteration on `state`; `play(up, down, seed)` gives wins and losses of `up`."""
    iteration = state["iteration"] + 1
    step, rate = schedule(iteration, settings["iterations"], settings["rate"])
    signs = {name: rng.choice((-1, 1)) for name in state["numbers"]}

    def moved(direction):
        return {
            name: whole(n["value"] + direction * signs[name] * n["step"] * step,
                        n["min"], n["max"], rng)
            for name, n in state["numbers"].items()
        }

    wins, losses = play(moved(1), moved(-1), iteration)
    for name, n in state["numbers"].items():
        gain = rate * n["step"] * step * (wins - losses) * signs[name]
        n["value"] = max(n["min"], min(n["max"], n["value"] + gain))
    state["iteration"] = iteration
    return wins, losses


def match(args):
    """A `play` for `iterate` that plays games."""

    def play(up, down, seed):
        resign = ["--resign", "moves=4,score=700,twosided=true"]
        wins, _, losses = games.play(args, up, down, 2 * args.pairs, seed, resign)
        return wins, losses

    return play


def load(path, numbers, settings):
    """The state to go on from."""
    fresh = {"iteration": 0, "numbers": numbers, "settings": settings}
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
    except FileNotFoundError:
        return fresh
    except (OSError, ValueError) as error:
        raise Fault(f"{path}: {error}") from error
    ranges = {name: [n["min"], n["max"], n["step"]] for name, n in numbers.items()}
    found = {name: [n["min"], n["max"], n["step"]] for name, n in state["numbers"].items()}
    same = {key: value for key, value in settings.items() if key != "iterations"}
    if found != ranges or any(state["settings"].get(key) != same[key] for key in same):
        raise Fault(f"{path} belongs to another run: other numbers, steps or settings")
    state["settings"] = settings
    return state


def save(path, state):
    """Rewrites the state so that a kill leaves the old one or the new one."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)
    os.replace(path + ".new", path)


def line(state):
    return ", ".join(f"{name} {n['value']:.1f}" for name, n in state["numbers"].items())


def run(args):
    numbers = chosen(args.numbers, declared(args.engine))
    settings = {
        key: getattr(args, key)
        for key in ("variant", "nodes", "pairs", "iterations", "rate", "openings")
    }
    state = load(args.state, numbers, settings)
    # Seeded by the iteration, so that an interrupted run ends like one that was not.
    started, before = time.monotonic(), state["iteration"]
    while state["iteration"] < args.iterations:
        rng = random.Random(state["iteration"])
        wins, losses = iterate(state, settings, match(args), rng)
        save(args.state, state)
        done = state["iteration"]
        left = (time.monotonic() - started) / (done - before) * (args.iterations - done)
        print(f"{done}/{args.iterations} ({left / 60:.0f} min left) +{wins} -{losses}: {line(state)}",
              flush=True)
    print(f"after {state['iteration']} iterations: {line(state)}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="hanuman, built with --features tune")
    parser.add_argument("--state", required=True, help="file to keep the run in")
    parser.add_argument("--variant", default="makruk")
    parser.add_argument("--nodes", type=int, default=6000, help="nodes a move")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--pairs", type=int, default=4, help="pairs of games an iteration")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument("--rate", type=float, default=0.02,
                        help="part of a step by which one win moves a number in the end")
    parser.add_argument("--openings", help="file of openings")
    parser.add_argument("numbers", nargs="+", metavar="NAME[:STEP]")
    args = parser.parse_args()
    if min(args.nodes, args.iterations, args.pairs, args.concurrency) < 1 or args.rate <= 0:
        parser.error("all amounts must be above 0")
    try:
        run(args)
    except Fault as fault:
        sys.exit(f"spsa.py: {fault}")
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")


if __name__ == "__main__":
    main()
