#!/bin/sh
# check.sh MISCAST FILE: the dtype that miscast knows of each expression in reveal_type(...) is the one of the comment
# behind it, which is what Python has there (record.py).
set -eu
miscast=$1
file=$2
out=$(mktemp -d)
trap 'rm -f "$out/want" "$out/got"; rmdir "$out"' EXIT
awk '/^reveal_type/ { print FNR ": " $NF }' "$file" >"$out/want"
NO_COLOR=1 "$miscast" types --isolated --no-cache "$file" 2>/dev/null |
    sed -n 's/^[^:]*\.py:\([0-9]*\):[0-9]*: note: .* is \([^ ]*\) cpu.*$/\1: \2/p' >"$out/got"
[ -s "$out/want" ]
diff "$out/want" "$out/got"
