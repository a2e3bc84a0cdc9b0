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
source "$(dirname "$0")/perft_timing.sh"

their_perft() { "$program" "$fen" "$1" | sed 's/.*,//'; }

for ((round = 0; round < rounds; round++)); do
    cpu_ms hanuman_perft makhos "$depth" --fen "$fen"; best_of bulk_ms; ours=$leaves
    cpu_ms their_perft "$((depth - 1))"; best_of shallower_ms
    cpu_ms their_perft "$depth"; best_of their_ms; theirs=$leaves
    cpu_ms hanuman_perft makhos "$depth" --fen "$fen" --listing; best_of listing_ms
done
report makhos "$depth" "other program" "$ours" "$theirs" \
    "$((their_ms - shallower_ms))" "$bulk_ms" "$listing_ms"
