#!/bin/sh
# run.sh INTERPRET COMPILER FILE [FLAGS...]: the program behaves the same interpreted as compiled.
set -eu
interpret=$1
compiler=$2
file=$3
shift 3
folder=$(mktemp -d)
trap 'rm -f "$folder/program" "$folder/compiled" "$folder/interpreted"; rmdir "$folder"' EXIT
"$compiler" -w "$@" "$file" -o "$folder/program"
compiled=0
timeout 10 "$folder/program" >"$folder/compiled" || compiled=$?
if [ "$compiled" -eq 124 ]; then
    exit 77
fi
interpreted=0
timeout 60 "$interpret" "$file" "$@" >"$folder/interpreted" || interpreted=$?
if [ "$interpreted" -eq 124 ]; then
    exit 77
fi
if [ "$interpreted" -eq 77 ] && [ "$compiled" -ne 77 ]; then
    exit 77
fi
diff "$folder/compiled" "$folder/interpreted"
[ "$interpreted" -eq "$compiled" ] || {
    echo "$file: returns $compiled compiled, $interpreted interpreted"
    exit 1
}
