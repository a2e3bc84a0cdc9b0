# Sourced by scripts that play or build with the program: goes to the root of the tree, finds the
# programs, prints the head of a script as its help.
#
# HANUMAN=/path/to/hanuman           ours; built from this tree if left out
# FAIRY=/path/to/fairy-stockfish     the sparring partner; Debian's if left out

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

usage() {
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0" >&2
  exit 2
}

find_hanuman() { # sets `hanuman`
  hanuman=${HANUMAN:-}
  if [ -z "$hanuman" ]; then
    cargo build --release --locked --quiet --package engine --bin hanuman
    hanuman=${CARGO_TARGET_DIR:-$root/target}/release/hanuman
  fi
}

# Debian puts games where not every PATH looks.
fairy=${FAIRY:-$(command -v fairy-stockfish || echo /usr/games/fairy-stockfish)}
