#!/usr/bin/env bash
# The matches of the strength table in README.md, one row each: 2+0.02, one thread, Hash 64, every
# opening from both sides.
#
#   scripts/strength.sh ROW...
#
#   makruk-debian   asean-debian    against Fairy-Stockfish 11.1 as Debian packages it
#   makruk-newest   asean-newest    against a newer Fairy-Stockfish, without a network
#   makhos-first                    against this engine as it was at its foundation (5c5dc67)
#   makhos-material                 against a player of 1,000 nodes that knows material alone
#   makruk-threads                  two threads against one
#
# Two games run at once (CONCURRENCY), makruk-threads one; nothing else should run meanwhile. The
# last line of a match is in OUT/ROW.txt, the games beside it.
#
# Environment: HANUMAN (ours; built from this tree if left out), FAIRY (Debian's fairy-stockfish),
# NEWEST (a Fairy-Stockfish built from source), FIRST (our foundation), GAMES (400), CONCURRENCY (2),
# OUT (target/strength).
set -euo pipefail
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"

[ $# -gt 0 ] || usage
find_hanuman
games=${GAMES:-400}
concurrency=${CONCURRENCY:-2}
out=${OUT:-target/strength}
mkdir -p "$out"

need() { # name of a variable with a program
  if [ ! -x "${!1:-}" ]; then
    printf '%s must name the program to play against\n' "$1" >&2
    exit 2
  fi
}

play() { # row variant games concurrency engine...
  local row=$1 variant=$2 games=$3 concurrency=$4 openings
  shift 4
  openings=(--openings "tests/data/openings/$variant.epd")
  [ "$variant" != makhos ] || openings=(--opening-plies 6)
  printf '\n== %s, %s games\n' "$row" "$games"
  "$hanuman" match "$@" --variant "$variant" --games "$games" --tc 2+0.02 --hash 64 \
    --concurrency "$concurrency" "${openings[@]}" --pgn "$out/$row.pgn" | tee "$out/$row.txt"
}

ours=(--engine "cmd=\"$hanuman\",name=Hanuman")
for row; do
  variant=${row%%-*}
  case $row in
    makruk-debian | asean-debian)
      need fairy
      play "$row" "$variant" "$games" "$concurrency" "${ours[@]}" \
        --engine "cmd=\"$fairy\",name=Fairy-Stockfish"
      ;;
    makruk-newest | asean-newest)
      need NEWEST
      play "$row" "$variant" "$games" "$concurrency" "${ours[@]}" \
        --engine "cmd=\"$NEWEST\",name=Fairy-Stockfish,option.Use NNUE=false"
      ;;
    makhos-first)
      need FIRST
      play "$row" "$variant" "$games" "$concurrency" "${ours[@]}" \
        --engine "cmd=\"$FIRST\",name=Foundation"
      ;;
    makhos-material)
      network=$out/makhos-material.nnue
      cargo run --release --locked --quiet --package trainer -- material --variant makhos \
        --out "$network"
      play "$row" "$variant" "$games" "$concurrency" "${ours[@]}" \
        --engine "cmd=\"$hanuman\",name=Material,option.EvalFile=$network,nodes=1000,tc=inf"
      ;;
    makruk-threads)
      play "$row" "$variant" "$((games / 2))" 1 "${ours[@]},option.Threads=2" \
        --engine "cmd=\"$hanuman\",name=Single"
      ;;
    *)
      printf 'unknown row: %s\n' "$row" >&2
      exit 2
      ;;
  esac
done
