#!/usr/bin/env python3
"""How many times as many nodes a second as another UCI engine searches, one thread each.

    cargo build --release
    scripts/nps_ratio.py [--other fairy-stockfish] [--movetime 1000] [--rounds 1]

Both engines search the positions of `hanuman bench` (Makruk and ASEAN Chess) for the same time, in
turns, with cleared hash tables of the same size. The figure of a game is all nodes by all the time
that the engines report.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPENT = re.compile(r"\bnodes (\d+)\b")
TIME = re.compile(r"\btime (\d+)\b")


class Engine:
    """A UCI engine that has been started."""

    def __init__(self, command, variant, hash_mib):
        self.command = command
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.say("uci")
        self.hear("uciok")
        self.say(f"setoption name UCI_Variant value {variant}")
        self.say(f"setoption name Hash value {hash_mib}")
        self.nodes = 0
        self.milliseconds = 0

    def say(self, line):
        self.process.stdin.write(line + "\n")

    def hear(self, last):
        """The lines up to the one that begins with `last`."""
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line.startswith(last):
                return lines
        sys.exit(f"{self.command} ended before it said '{last}'")

    def search(self, fen, movetime):
        self.say("ucinewgame")
        self.say("isready")
        self.hear("readyok")
        self.say(f"position fen {fen}")
        self.say(f"go movetime {movetime}")
        nodes = milliseconds = 0
        for line in self.hear("bestmove"):
            found, spent = SPENT.search(line), TIME.search(line)
            if line.startswith("info") and found and spent:
                nodes, milliseconds = int(found[1]), int(spent[1])
        self.nodes += nodes
        self.milliseconds += milliseconds

    def quit(self):
        self.say("quit")
        self.process.wait()

    def rate(self):
        return 1000 * self.nodes / max(self.milliseconds, 1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hanuman", default=str(ROOT / "target/release/hanuman"))
    # Debian puts games where not every PATH looks.
    other = shutil.which("fairy-stockfish") or "/usr/games/fairy-stockfish"
    parser.add_argument("--other", default=other)
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds a position")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--hash", type=int, default=64, help="MiB")
    args = parser.parse_args()
    for variant in ("makruk", "asean"):
        fens = (ROOT / f"engine/bench/{variant}.fen").read_text().splitlines()
        try:
            engines = [Engine(e, variant, args.hash) for e in (args.hanuman, args.other)]
        except OSError as error:
            sys.exit(f"an engine does not start: {error}")
        for _ in range(args.rounds):
            for fen in fens:
                for engine in engines:
                    engine.search(fen, args.movetime)
        ours, theirs = (engine.rate() for engine in engines)
        print(f"{variant}: {ours:.0f} nodes/s, the other {theirs:.0f}: {ours / theirs:.2f} times")
        for engine in engines:
            engine.quit()


if __name__ == "__main__":
    main()
