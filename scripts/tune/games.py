"""Matches for tuners: what a tuning build declares, and short games between two sets of numbers."""

import re
import subprocess

SCORE = re.compile(r" W (\d+) D (\d+) L (\d+) ")
SPIN = re.compile(r"option name (\S+) type spin default (-?\d+) min (-?\d+) max (-?\d+)")


class Fault(Exception):
    """What the user should read instead of a stack trace."""


def declared(engine):
    """The spin options of the engine: name -> (default, min, max)."""
    try:
        answer = subprocess.run(
            [engine], input="uci\nquit\n", capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Fault(f"{engine} does not answer: {error}") from error
    return {name: tuple(map(int, rest)) for name, *rest in SPIN.findall(answer.stdout)}


def play(args, first, second, games, seed, adjudication):
    """Wins, draws and losses of the numbers `first` against `second`, given by option name.

    `args` has `engine`, `variant`, `nodes`, `concurrency` and `openings`; `adjudication` is further
    arguments of the match.
    """

    def engine(name, numbers):
        options = "".join(f",option.{n}={value}" for n, value in numbers.items())
        return ["--engine", f"cmd={args.engine},name={name}{options}"]

    command = [args.engine, "match", *engine("first", first), *engine("second", second)]
    command += ["--variant", args.variant, "--nodes", str(args.nodes), "--games", str(games)]
    command += ["--concurrency", str(args.concurrency)]
    command += ["--hash", "16", "--opening-order", "random", "--seed", str(seed), *adjudication]
    if args.openings:
        command += ["--openings", args.openings]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    score = SCORE.search(done.stdout.strip().rpartition("\n")[2])
    if done.returncode != 0 or score is None:
        raise Fault(f"the match failed: {done.stderr.strip()[-500:]}")
    return tuple(map(int, score.groups()))
