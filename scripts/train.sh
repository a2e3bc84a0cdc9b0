#!/usr/bin/env bash
# From games to the network that the engine is built with.
#
#   scripts/train.sh VARIANT FILE.games...
#
# Builds the trainer, trains with the settings recommended for the game, and puts the network with
# the lowest held-out loss at search/networks/VARIANT.nnue; the next build of the engine embeds it.
# Give the newest games first. Run it again after a kill and it goes on where it was.
#
# Settings by environment variables:
#   HIDDEN   units of the hidden layer (128)
#   EPOCHS   how often each position is visited (12, meant for 3 to 10 million positions; fewer
#            positions want less, 20 million 20 to 30)
#   INIT     network to begin with, which decides the size; ASEAN Chess begins with Makruk's
#            network unless INIT is set to nothing
#   OUT      folder for checkpoint, learning curve and networks (target/training/VARIANT)
#   THREADS  threads (one for each processor, at most 8)
# Anything else of `trainer train --help` goes into TRAIN_ARGS, e.g. TRAIN_ARGS="--lambda 0.5".
set -euo pipefail

if [ $# -lt 2 ]; then
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
fi
variant=$1
shift

root=$(cd "$(dirname "$0")/.." && pwd)
networks=$root/search/networks
case $variant in
  makruk | asean | makhos) hidden=${HIDDEN:-128} ;;
  *)
    echo "the games are makruk, asean and makhos" >&2
    exit 2
    ;;
esac

init=${INIT:-}
if [ "$variant" = asean ] && [ -z "${INIT+set}" ] && [ -e "$networks/makruk.nnue" ]; then
  init=$networks/makruk.nnue
fi
start=(--hidden "$hidden")
if [ -n "$init" ]; then
  # Weights that are good already are moved less.
  start=(--init "$init" --rate 5e-4)
fi

out=${OUT:-$root/target/training/$variant}
cargo build --release --locked --quiet --manifest-path "$root/Cargo.toml" -p trainer
target=${CARGO_TARGET_DIR:-$root/target}
# shellcheck disable=SC2086
"$target/release/trainer" train --variant "$variant" "${start[@]}" --epochs "${EPOCHS:-12}" \
  ${THREADS:+--threads "$THREADS"} --out "$out" ${TRAIN_ARGS:-} "$@"

mkdir -p "$networks"
cp "$out/best.nnue" "$networks/$variant.nnue"
echo "the engine's next build has $networks/$variant.nnue"
