#!/bin/sh
# layers.sh BUILD [edges]: which folder uses which, read from the symbols of the objects under BUILD and
# from #include lines, and held against layers.txt. Fails on an edge that is not allowed there, on a cycle
# between folders, and on a cycle of files inside a folder that is larger than noted. With "edges", prints
# each edge between folders with how many symbols make it, and stops.
set -eu
build=$1
mode=${2:-check}
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
LC_ALL=C
export LC_ALL
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# OBJECT SYMBOL KIND, for each global symbol; an object is .../FOLDER/CMakeFiles/TARGET.dir/REST.c.o.
find "$build/analyzer" "$build/rules" "$build/frontends" "$build/runtime" -name '*.c.o' -path '*/CMakeFiles/*' \
    -exec nm -A -P -g {} + |
    sed -e "s,^$build/,," -e 's,CMakeFiles/[^/]*\.dir/,,' -e 's,\.c\.o: ,.c ,' -e 's,\.c\.o:,.c,' \
        >"$work/symbols"
find analyzer rules frontends runtime -name '*.c' >"$work/sources" # objects of others are old, or data
[ -s "$work/symbols" ] || { echo "layers.sh: no objects under $build" >&2; exit 2; }
# "include FILE HEADER", for each header of ours that a file of ours includes.
grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(analyzer|rules|frontends|runtime)/' \
    --include='*.c' --include='*.h' --include='*.cu' --include='*.cuh' analyzer rules frontends runtime |
    sed -E 's,^([^:]*):[0-9]*:[^"]*"([^"]*)".*,include \1 \2,' >"$work/includes"

awk -v mode="$mode" -f "$here/layers.awk" "$here/layers.txt" "$work/sources" "$work/symbols" "$work/includes"
