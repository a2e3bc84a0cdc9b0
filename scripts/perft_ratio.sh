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

fairy=${FAIRY:-$(PATH=$PATH:/usr/games command -v fairy-stockfish || true)}
if [ -z "$fairy" ]; then
    echo "fairy-stockfish was not found. Debian: apt install fairy-stockfish; elsewhere set FAIRY." >&2
    exit 1
fi
source "$(dirname "$0")/perft_timing.sh"

fairy_perft() { # VARIANT DEPTH
    printf 'setoption name UCI_Variant value %s\nposition startpos\ngo perft %s\nquit\n' "$1" "$2" |
        "$fairy" | sed -n 's/^Nodes searched: //p'
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
    report "$variant" "$depth" Fairy-Stockfish "$ours" "$theirs" \
        "$((fairy_ms - fairy_start))" "$((bulk_ms - our_start))" "$((listing_ms - our_start))"
done
