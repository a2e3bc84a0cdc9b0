#!/usr/bin/env bash
# Endings that the tables know, played out against Fairy-Stockfish: won ones must be won inside the
# count, drawn ones held, in every game.
#
#   scripts/endgames.sh won|drawn VARIANT:CLASS...
#   scripts/endgames.sh won|drawn              the classes of CLASSES below
#
# Hanuman searches 1,000 nodes a move and asks the tables in TABLES; Fairy-Stockfish has 100 ms a
# move and loses no game by a late answer. Positions are drawn at random among those with that
# result in which the side with the pieces moves and no count has begun. One line a class.
#
# Environment: HANUMAN (built from this tree if left out), FAIRY (Debian's fairy-stockfish), TABLES
# (target/tables), GAMES (200), CONCURRENCY (2), OUT (target/endgames).
set -euo pipefail
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"

CLASSES=(
  makruk:KRvK makruk:KRMvK makruk:KRRvK makruk:KSSvK makruk:KSMvK makruk:KNSvK makruk:KNMvK
  makruk:KSSMvK asean:KRvK asean:KSMvK asean:KNMvK
)

result=${1:-}
case $result in
  won) wanted=win ;;
  drawn) wanted=draw ;;
  *) usage ;;
esac
shift
[ $# -gt 0 ] || set -- "${CLASSES[@]}"

find_hanuman
tables=${TABLES:-target/tables}
games=${GAMES:-200}
out=${OUT:-target/endgames}
mkdir -p "$out"

ours="cmd=\"$hanuman\",name=Hanuman,nodes=1000,option.TablePath=$tables"
theirs="cmd=\"$fairy\",name=Fairy-Stockfish,movetime=100"
for place; do
  variant=${place%%:*}
  class=${place#*:}
  name=$variant-$class-$result
  "$hanuman" tables sample --dir "$tables" --variant "$variant" --result "$wanted" \
    --number "$games" "$class" >"$out/$name.epd"
  # White has the pieces, and the engine named first.
  engines=(--engine "$ours" --engine "$theirs")
  [ "$result" = won ] || engines=(--engine "$theirs" --engine "$ours")
  printf '%s %s, %s: ' "$variant" "$class" "$result"
  "$hanuman" match "${engines[@]}" --variant "$variant" --games "$games" --no-swap \
    --time-margin 1000 --concurrency "${CONCURRENCY:-2}" --openings "$out/$name.epd" \
    --pgn "$out/$name.pgn" 2>"$out/$name.log" | tail -n 1
done
