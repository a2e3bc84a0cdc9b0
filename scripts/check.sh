#!/usr/bin/env bash
# Everything that must hold before a change lands: format, lints, docs, tests with debug
# assertions, tests of the shipped profile, bench signature. Needs Rust and nothing else.
#
#   scripts/check.sh          all of it
#   scripts/check.sh quick    without the release-profile tests and the bench signature
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "every file in tests/ and benches/ is declared by a crate"
# A virtual workspace ignores undeclared ones without a word.
for file in tests/*.rs benches/*.rs; do
  [ -e "$file" ] || continue
  grep -q "\"../$file\"" movegen/Cargo.toml tables/Cargo.toml search/Cargo.toml engine/Cargo.toml ||
    { echo "$file is declared in no Cargo.toml" >&2; exit 1; }
done

step "format"
cargo fmt --all --check

step "clippy, warnings are errors"
cargo clippy --locked --workspace --all-targets -- -D warnings

step "documentation, warnings are errors"
RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items --quiet

if command -v cargo-deny >/dev/null; then
  step "licences and advisories"
  cargo deny --log-level error check licenses bans sources
fi

step "tests with debug assertions and overflow checks"
cargo test --locked --workspace

if [ "${1:-}" != quick ]; then
  step "tests of the shipped profile (the command of the README)"
  cargo test --locked --workspace --release

  step "bench signature"
  scripts/bench_signature.sh
fi

step "all good"
