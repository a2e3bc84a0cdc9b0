#!/usr/bin/env bash
# Makes the endgame tables that are part of the program (tables/embedded) anew: all with three men,
# in Makhos up to four pieces, and of the other chess classes with four men those whose files stay
# below LIMIT bytes, and KNMvK: nearly always drawn, but a king alone that does not know the table
# walks into the few positions that are lost.
#
#   scripts/embed_tables.sh
#
# Environment: HANUMAN (built from this tree if left out), LIMIT (200000), DIR (target/tables; what
# is there already is not made again).
set -euo pipefail
# shellcheck source=scripts/programs.sh
. "$(dirname "$0")/programs.sh"
find_hanuman
limit=${LIMIT:-200000}
dir=${DIR:-target/tables}
folder=tables/embedded

"$hanuman" tables build --variant makruk --men 4 --dir "$dir"
"$hanuman" tables build --variant asean --men 4 --dir "$dir"
"$hanuman" tables build --variant makhos --men 4 --dir "$dir"

rm -f "$folder"/*.table
for file in "$dir"/*.table; do
  name=$(basename "$file")
  case $name in
    makhos-after-*) continue ;;
    # Small, but they lead to large ones, without which nobody can play them out. (A test asks that
    # no such table is inside the program.)
    makruk-KNPvK* | asean-KPPvK*) continue ;;
  esac
  # The letters of a class are its men.
  men=${name#*-}
  men=${men%.table}
  men=${men/v/}
  case $name in
    makhos-*) [ ${#men} -le 4 ] || continue ;;
    chess-KNMvK.table) ;;
    *) [ ${#men} -le 3 ] || [ "$(wc -c <"$file")" -lt "$limit" ] || continue ;;
  esac
  cp "$file" "$folder/$name"
done

{
  printf 'embedded! {\n'
  for file in "$folder"/*.table; do
    printf '    "%s"\n' "$(basename "$file")"
  done
  printf '}\n'
} >"$folder/list.rs"
du -ch "$folder"/*.table | tail -n 1
