#!/bin/sh
# Checks our own sources with the compilation database of the build: the analysis finishes normally and
# has no findings in the analyzer and the runtime. With folders, only their units are read.
#
#   own_tree.sh PROGRAM BUILD SOURCE [FOLDER...]
set -eu
program=$1 build=$2 source=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$source"

# An entry of CMake's database ends with a line that begins with }.
if [ $# -gt 0 ]; then
    awk -v source="$source" -v folders="$*" '
        BEGIN { count = split(folders, wanted, " "); print "[" }
        /^\{/ { entry = ""; is_wanted = 0 }
        { entry = entry $0 "\n" }
        /"file":/ {
            for (i = 1; i <= count; i++)
                is_wanted += index($0, "\"" source "/" wanted[i] "/") > 0
        }
        /^\}/ && is_wanted { sub(/,\n$/, "\n", entry); printf "%s%s", separator, entry; separator = "," }
        END { print "]" }' "$build/compile_commands.json" >"$work/compile_commands.json"
    build=$work
fi

status=0
"$program" check --isolated --no-cache --format concise -p "$build" analyzer frontends rules runtime \
    >"$work/out" 2>"$work/err" || status=$?
sed 's/^/| /' "$work/err"
if [ "$status" -gt 3 ] || [ "$status" -eq 2 ]; then
    echo "own_tree: the check ended with $status" >&2
    exit 1
fi
# Findings elsewhere, in examples and tests, are intended.
if grep -E '^(analyzer|frontends|rules|runtime)/' "$work/out" >&2; then
    echo "own_tree: findings in our own sources" >&2
    exit 1
fi
grep -q ' files analysed' "$work/err"
