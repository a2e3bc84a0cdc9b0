#!/usr/bin/env bash
# Checks that the benchmark visits as many nodes as tests/data/bench.nodes says. A change of the
# search or the evaluation changes them on purpose: run scripts/update_bench.sh then.
set -euo pipefail
cd "$(dirname "$0")/.."
expected=tests/data/bench.nodes

found=$(cargo run --locked --release --quiet -- bench)
# Speed differs from machine to machine; node counts must not.
nodes=$(sed -E 's/ nodes [0-9]+ nps$/ nodes/' <<<"$found")
if [ "${1:-}" = --write ]; then
  printf '%s\n' "$nodes" >"$expected"
elif ! diff -u "$expected" - <<<"$nodes"; then
  echo "the bench signature differs from $expected" >&2
  exit 1
fi
printf '%s\n' "$found"
