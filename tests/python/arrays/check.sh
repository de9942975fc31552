#!/bin/sh
# check.sh MISCAST FOLDER: what miscast knows about each array of arrays.py is what its comment says, which is what NumPy
# does (record.py).
set -eu
miscast=$1
folder=$2
out=$(mktemp -d)
trap 'rm -f "$out/want" "$out/got"; rmdir "$out"' EXIT
awk '/^reveal_type/ { print FNR ": " $NF }' "$folder/arrays.py" >"$out/want"
NO_COLOR=1 "$miscast" types --isolated --no-cache "$folder/arrays.py" 2>/dev/null |
    sed -n 's/^.*arrays\.py:\([0-9]*\):[0-9]*: note: .* is \([^ ]*\) cpu.*$/\1: \2/p' >"$out/got"
[ -s "$out/want" ]
diff "$out/want" "$out/got"
