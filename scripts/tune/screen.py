#!/usr/bin/env python3
"""Finds out which of several changes of the search gain, from the same games.

    cargo build --release -p engine --features tune
    scripts/tune/screen.py --engine target/release/hanuman --out screen.jsonl \\
        --variant asean --nodes 3000 --openings asean.epd \\
        asean.lmr_cut_node=1536 asean.see_quiet=70:40 asean.lmp_base=4

NAME=ON[:OFF] is a change: the number's value with it and (default: as shipped) without it. Every
short match plays about half of the changes against the other half: the signs come from rows of a
Hadamard matrix, whose columns are dealt to the changes anew after each pass through its rows. So
every game says something about every change, and the error of each is that of a match of all
games. Interactions between changes are averaged out, not found.

One line a match goes to the file; the same command goes on where it stopped.
"""

import argparse
import json
import math
import os
import random
import sys

import games
from games import Fault, declared

# Elo by a share of the points, near an even score.
ELO_PER_POINT = 1600 / math.log(10)


def parse(texts, options):
    """Changes: name -> (value with it, value without it or None for the shipped one)."""
    changes = {}
    for text in texts:
        name, equals, values = text.partition("=")
        on, colon, off = values.partition(":")
        if name not in options:
            raise Fault(f"the engine has no number '{name}' (was it built with --features tune?)")
        try:
            changes[name] = (int(on), int(off) if colon else None)
        except ValueError:
            raise Fault(f"'{text}' is not NAME=ON[:OFF] with whole numbers") from None
        _, low, high = options[name]
        if any(value is not None and not low <= value <= high for value in changes[name]):
            raise Fault(f"{name} goes from {low} to {high}")
    return changes


def hadamard(size):
    """Sylvester's matrix of signs with at least `size` rows."""
    rows = [[1]]
    while len(rows) < size:
        rows = [row + row for row in rows] + [row + [-x for x in row] for row in rows]
    return rows


def signs(count, number, seed):
    """+1 (with the change) or -1 for each of `count` changes in match `number`."""
    matrix = hadamard(count + 1)
    block, row = divmod(number, len(matrix))
    rng = random.Random(f"{seed} {block}")
    # The first column is constant: no change may have it.
    columns = rng.sample(range(1, len(matrix)), count)
    turned = [rng.choice((-1, 1)) for _ in range(count)]
    order = rng.sample(range(len(matrix)), len(matrix))
    return [matrix[order[row]][column] * turn for column, turn in zip(columns, turned)]


def effects(matches, count):
    """Elo of each change, and the 95 % error that all share."""
    played = max(sum(m["wins"] + m["draws"] + m["losses"] for m in matches), 1)
    variance = sum(m["wins"] + m["losses"] for m in matches) / 4 / played
    error = 1.96 * math.sqrt(variance / played) * ELO_PER_POINT
    gains = [
        ELO_PER_POINT * sum(m["signs"][i] * (m["wins"] - m["losses"]) / 2 for m in matches)
        / played
        for i in range(count)
    ]
    return gains, error


def play(args, changes, number):
    """One short match."""
    row = signs(len(changes), number, args.seed)

    def numbers(turn):
        values = {
            change: on if sign == turn else off
            for (change, (on, off)), sign in zip(changes.items(), row)
        }
        return {change: value for change, value in values.items() if value is not None}

    adjudication = ["--resign", "moves=3,score=700,twosided=true"]
    adjudication += ["--draw", "number=60,count=10,score=8"]
    wins, draws, losses = games.play(
        args, numbers(1), numbers(-1), args.games, number, adjudication)
    return {"signs": row, "wins": wins, "draws": draws, "losses": losses}


def load(path, count, seed):
    """The matches of an earlier run with the same changes."""
    if not os.path.exists(path):
        return []
    try:
        with open(path, encoding="utf-8") as file:
            matches = [json.loads(line) for line in file]
    except (OSError, ValueError) as error:
        raise Fault(f"{path}: {error}") from error
    if any(m["signs"] != signs(count, i, seed) for i, m in enumerate(matches)):
        raise Fault(f"{path} belongs to another run")
    return matches


def run(args):
    changes = parse(args.changes, declared(args.engine))
    matches = load(args.out, len(changes), args.seed)
    while len(matches) < args.matches:
        matches.append(play(args, changes, len(matches)))
        with open(args.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(matches[-1]) + "\n")
        gains, error = effects(matches, len(changes))
        ranked = sorted(zip(gains, changes), reverse=True)
        print(f"{len(matches)}/{args.matches} matches, +-{error:.0f}: "
              + ", ".join(f"{name} {gain:+.0f}" for gain, name in ranked), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="hanuman, built with --features tune")
    parser.add_argument("--out", required=True, help="file to keep the matches in")
    parser.add_argument("--variant", default="makruk")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes a move")
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--games", type=int, default=20, help="games of a match")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument("--openings", help="file of openings")
    parser.add_argument("--seed", type=int, default=1, help="decides the signs")
    parser.add_argument("changes", nargs="+", metavar="NAME=ON[:OFF]")
    args = parser.parse_args()
    if min(args.nodes, args.matches, args.games, args.concurrency) < 1:
        parser.error("all amounts must be above 0")
    try:
        run(args)
    except Fault as fault:
        sys.exit(f"screen.py: {fault}")
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")


if __name__ == "__main__":
    main()
