#!/usr/bin/env bash
# How many times as fast as another program the Makhos move generator is: perft from the start
# position, single thread, both programs in turns, best CPU time of each.
#
#   scripts/perft_ratio_makhos.sh PROGRAM [DEPTH [ROUNDS]]        (default: 11 2)
#
# PROGRAM is called as `PROGRAM FEN DEPTH` and prints the leaves at depths 1 to DEPTH, separated by
# commas. Its time for DEPTH alone is what DEPTH takes more than DEPTH - 1.
#
# HANUMAN=/path/to/hanuman   ours; built from this tree if left out
set -euo pipefail
if [ $# -lt 1 ]; then
    sed -n '5s/^# *//p' "$0" >&2
    exit 2
fi
program=$1
depth=${2:-11}
rounds=${3:-2}
fen=W:W25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8

if [ -z "${HANUMAN:-}" ]; then
    root=$(dirname "$0")/..
    (cd "$root" && cargo build --quiet --release --bin hanuman)
    HANUMAN=${CARGO_TARGET_DIR:-$root/target}/release/hanuman
fi

their_perft() { "$program" "$fen" "$1" | sed 's/.*,//'; }
our_perft() { # DEPTH [--listing]
    "$HANUMAN" perft --variant makhos --fen "$fen" --depth "$1" "${@:2}" |
        sed -n 's/^Nodes searched: //p'
}

# CPU milliseconds of a command; its output, the number of leaves, goes to the variable `leaves`.
out=$(mktemp)
trap 'rm -f "$out"' EXIT
cpu_ms() {
    local TIMEFORMAT='%U %S' user system
    read -r user system < <({ time "$@" >"$out"; } 2>&1)
    leaves=$(cat "$out")
    milliseconds=$(awk -v u="$user" -v s="$system" 'BEGIN { printf "%d", (u + s) * 1000 }')
}
best_of() { # NAME-OF-VARIABLE
    if [ -z "${!1:-}" ] || [ "$milliseconds" -lt "${!1}" ]; then printf -v "$1" %s "$milliseconds"; fi
}

for ((round = 0; round < rounds; round++)); do
    cpu_ms our_perft "$depth"; best_of bulk_ms; ours=$leaves
    cpu_ms their_perft "$((depth - 1))"; best_of shallower_ms
    cpu_ms their_perft "$depth"; best_of their_ms; theirs=$leaves
    cpu_ms our_perft "$depth" --listing; best_of listing_ms
done
if [ "$ours" != "$theirs" ]; then
    echo "makhos: $ours leaves, but $program counts $theirs" >&2
    exit 1
fi
awk -v d="$depth" -v n="$ours" -v t="$((their_ms - shallower_ms))" -v b="$bulk_ms" \
    -v l="$listing_ms" 'BEGIN {
    if (b < 1) b = 1; if (l < 1) l = 1
    printf "makhos perft %s = %s: other program %d ms; Hanuman %d ms (%.1f times as fast), ", d, n, t, b, t / b
    printf "listing the last ply %d ms (%.1f times)\n", l, t / l
}'
