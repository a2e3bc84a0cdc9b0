#!/usr/bin/env bash
# The three matches that show that the engine plays whole games without a fault: 40 games of Makruk
# and 40 of ASEAN Chess against Fairy-Stockfish, 20 of Makhos against itself, at 1+0.01. The last
# line of each has the score and every engine's illegal moves, time losses, crashes and hangs; the
# script fails if Hanuman has any.
#
#   scripts/match_fsf.sh                     all three
#   scripts/match_fsf.sh makruk asean        only these
#
# Environment: FAIRY (the other engine, default fairy-stockfish), TC (1+0.01), CONCURRENCY (1),
# MARGIN (ms that a move may be late, default 0; on a busy machine 100), OUT (folder for game files,
# default target/matches).
set -euo pipefail
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"

tc=${TC:-1+0.01}
out=${OUT:-target/matches}
find_hanuman
mkdir -p "$out"

play() { # variant games file engine...
  local variant=$1 games=$2 file=$3 last
  shift 3
  printf '\n== %s, %s games at %s\n' "$variant" "$games" "$tc"
  "$hanuman" match "$@" --variant "$variant" --games "$games" --tc "$tc" \
    --concurrency "${CONCURRENCY:-1}" --time-margin "${MARGIN:-0}" --pgn "$out/$file" \
    | tee "$out/$variant.txt"
  last=$(tail -n 1 "$out/$variant.txt")
  if grep -Eq '; Hanuman[^:]*: [^;]*[1-9][0-9]* (illegal|time|crashes|hangs)' <<<"$last"; then
    printf 'Hanuman has committed an offence\n' >&2
    return 1
  fi
}

[ $# -gt 0 ] || set -- makruk asean makhos
for variant; do
  case $variant in
    makruk | asean)
      play "$variant" 40 "$variant.pgn" \
        --engine name=Hanuman --engine "cmd=\"$fairy\",name=Fairy-Stockfish"
      ;;
    makhos)
      play "$variant" 20 "$variant.pdn" --engine name=Hanuman-1 --engine name=Hanuman-2
      ;;
    *)
      printf 'unknown game: %s\n' "$variant" >&2
      exit 2
      ;;
  esac
done
