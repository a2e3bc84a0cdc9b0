# Sourced by the scripts that compare the speed of move generators: finds our program, takes CPU
# times, prints the ratio.
#
# HANUMAN=/path/to/hanuman   ours; built from this tree if left out

if [ -z "${HANUMAN:-}" ]; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    (cd "$root" && cargo build --quiet --release --bin hanuman)
    HANUMAN=${CARGO_TARGET_DIR:-$root/target}/release/hanuman
fi

hanuman_perft() { # VARIANT DEPTH [OPTION...]
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

# Prints how the times compare, if both programs have counted the same leaves.
report() { # VARIANT DEPTH OTHER-NAME OUR-LEAVES THEIR-LEAVES THEIR-MS OUR-MS OUR-LISTING-MS
    if [ "$4" != "$5" ]; then
        echo "$1: $4 leaves, but $3 counts $5" >&2
        exit 1
    fi
    awk -v v="$1" -v d="$2" -v o="$3" -v n="$4" -v t="$6" -v b="$7" -v l="$8" 'BEGIN {
        if (b < 1) b = 1; if (l < 1) l = 1
        printf "%s perft %s = %s: %s %d ms; Hanuman %d ms (%.1f times as fast), ", v, d, n, o, t, b, t / b
        printf "listing the last ply %d ms (%.1f times)\n", l, t / l
    }'
}
