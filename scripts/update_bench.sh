#!/usr/bin/env bash
# Rewrites tests/data/bench.nodes after a change of the search or the evaluation. The last line
# goes into the commit as "Bench: <nodes>".
set -euo pipefail
exec "$(dirname "$0")/bench_signature.sh" --write
