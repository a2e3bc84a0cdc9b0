#!/usr/bin/env bash
# How many times as fast as Fairy-Stockfish the move generator is: perft from the start position of
# Makruk and ASEAN, single thread, both programs in turns, best CPU time of each.
#
#   scripts/perft_ratio.sh [DEPTH [ROUNDS]]        (default: 6 3)
#
# FAIRY=/path/to/fairy-stockfish   the other program, if it is not on the path
# HANUMAN=/path/to/hanuman         ours; built from this tree if left out
set -euo pipefail
depth=${1:-6}
rounds=${2:-3}
cd "$(dirname "$0")/.."

fairy=${FAIRY:-$(PATH=$PATH:/usr/games command -v fairy-stockfish || true)}
if [ -z "$fairy" ]; then
    echo "fairy-stockfish was not found. Debian: apt install fairy-stockfish; elsewhere set FAIRY." >&2
    exit 1
fi
if [ -z "${HANUMAN:-}" ]; then
    cargo build --quiet --release --bin hanuman
    HANUMAN=${CARGO_TARGET_DIR:-target}/release/hanuman
fi

fairy_perft() { # VARIANT DEPTH
    printf 'setoption name UCI_Variant value %s\nposition startpos\ngo perft %s\nquit\n' "$1" "$2" |
        "$fairy" | sed -n 's/^Nodes searched: //p'
}
hanuman_perft() { # VARIANT DEPTH [--listing]
    "$HANUMAN" perft --variant "$1" --depth "$2" "${@:3}" | sed -n 's/^Nodes searched: //p'
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

for variant in makruk asean; do
    unset fairy_ms bulk_ms listing_ms fairy_start our_start
    for ((round = 0; round < rounds; round++)); do
        cpu_ms hanuman_perft "$variant" 1; best_of our_start
        cpu_ms hanuman_perft "$variant" "$depth"; best_of bulk_ms; ours=$leaves
        cpu_ms fairy_perft "$variant" 1; best_of fairy_start
        cpu_ms fairy_perft "$variant" "$depth"; best_of fairy_ms; theirs=$leaves
        cpu_ms hanuman_perft "$variant" "$depth" --listing; best_of listing_ms
    done
    if [ "$ours" != "$theirs" ]; then
        echo "$variant: $ours leaves, but Fairy-Stockfish counts $theirs" >&2
        exit 1
    fi
    awk -v v="$variant" -v d="$depth" -v n="$ours" -v f="$((fairy_ms - fairy_start))" \
        -v b="$((bulk_ms - our_start))" -v l="$((listing_ms - our_start))" 'BEGIN {
        if (b < 1) b = 1; if (l < 1) l = 1
        printf "%s perft %s = %s: Fairy-Stockfish %d ms; Hanuman %d ms (%.1f times as fast), ", v, d, n, f, b, f / b
        printf "listing the last ply %d ms (%.1f times)\n", l, f / l
    }'
done
