#!/bin/sh
# Each folder of code has a map of its files: the comments that open its headers name every .c file in it,
# and no file that is not there. A rule is a row of rules.def, so rules/ itself has no map; a folder of one
# or two files needs none.
set -eu
cd "$(dirname "$0")/../.."
status=0

# The comment that opens a header.
opening() {
    awk '/^#/ { exit } { print }' "$1"
}

# fail TEXT: reports a map that is not true.
fail() {
    echo "$1"
    status=1
}

for folder in $(find analyzer frontends runtime rules/engine -type d | LC_ALL=C sort); do
    count=$(find "$folder" -maxdepth 1 -name '*.c' | wc -l)
    [ "$count" -gt 2 ] || continue
    map=$(for header in "$folder"/*.h; do [ ! -f "$header" ] || opening "$header"; done)
    named=$(printf '%s\n' "$map" | grep -oE '[A-Za-z0-9_/*-]+\.(c|cu)\b' | LC_ALL=C sort -u || :)
    for file in "$folder"/*.c; do
        name=${file##*/}
        printf '%s\n' "$named" | grep -qxF "$name" || fail "$folder: no header's opening comment names $name"
    done
    for name in $named; do
        ls -d $folder/$name $folder/../$name $name 2>/dev/null | grep -q . ||
            fail "$folder: the map names $name, which is not there"
    done
done
exit $status
