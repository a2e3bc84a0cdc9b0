#!/usr/bin/env bash
# Plays weakened levels against each other: what the Elo figures of the levels are made of
# (`ladder` in search/src/games), and whether UCI_Elo keeps its word.
#
#   scripts/levels.sh skill VARIANT...           Skill Level -20 against -15, ... 15 against 20
#   scripts/levels.sh elo STEP VARIANT...        UCI_Elo 600 against 600 + STEP, and so on
#
# Full strength searches 250,000 nodes a move here. One line a match: the levels and the score of
# the stronger one.
#
# Environment: HANUMAN (built from this tree if left out), GAMES (200), CONCURRENCY (1: games at
# once).
set -euo pipefail
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"

play() { # variant weaker stronger options-of-weaker options-of-stronger
  local openings=(--openings "tests/data/openings/$1.epd" --opening-order random)
  [ "$1" != makhos ] || openings=(--opening-plies 6)
  printf '%s %5s v %5s: ' "$1" "$3" "$2"
  "$hanuman" match --engine "name=Stronger,$5" --engine "name=Weaker,$4" --variant "$1" \
    --nodes 250000 --games "${GAMES:-200}" --concurrency "${CONCURRENCY:-1}" \
    "${openings[@]}" 2>/dev/null |
    tail -n 1 | sed -E 's/^Stronger v Weaker: ([^,]*, Elo [^,]*),.*/\1/'
}

mode=${1:-}
[ $# -ge 2 ] || usage
find_hanuman
shift
case $mode in
  skill)
    for variant; do
      for ((level = -20; level < 20; level += 5)); do
        play "$variant" "$level" "$((level + 5))" "option.Skill Level=$level" \
          "option.Skill Level=$((level + 5))"
      done
    done
    ;;
  elo)
    step=$1
    shift
    [ $# -ge 1 ] || usage
    elo() { printf 'option.UCI_LimitStrength=true,option.UCI_Elo=%s' "$1"; }
    for variant; do
      for ((elo = 600; elo + step <= 2850; elo += step)); do
        play "$variant" "$elo" "$((elo + step))" "$(elo "$elo")" "$(elo "$((elo + step))")"
      done
    done
    ;;
  *) usage ;;
esac
