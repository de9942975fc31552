#!/bin/sh
# Runs the commands of a case in a copy of its folder, and compares their output with its golden
# file: stdout as it is, stderr after "! ", the exit code after "= ". MISCAST_BLESS=1 rewrites the
# golden file.
#
#   run.sh PROGRAM INCLUDE CASE
set -eu
program=$1 include=$2 case=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
# The real path, as a database has to name it.
work=$(cd "$work" && pwd -P)

mkdir "$work/case"
cp -R "$case"/. "$work/case"
rm -f "$work/case/golden"
cd "$work/case"
unset FORCE_COLOR MISCAST_PACKS
# Leak detection takes seconds per process on some machines: a case turns it on if it needs it.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
NO_COLOR=
CI=1 # no lines about what takes minutes
XDG_STATE_HOME=$work/state
export NO_COLOR CI XDG_STATE_HOME

# Called by the commands.
miscast() {
    "$program" "$@"
}

# database FOLDER FILE...: writes FOLDER/compile_commands.json for the files
database() {
    mkdir -p "$1"
    into=$1/compile_commands.json
    shift
    separator='['
    for file; do
        printf '%s{"directory": "%s", "file": "%s", "arguments": ["cc", "-I%s", "-c", "%s"]}' \
            "$separator" "$PWD" "$file" "$include" "$file"
        separator=','
    done >"$into"
    echo ']' >>"$into"
}

while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    echo "$ $line"
    status=0
    eval "$line" >"$work/out" 2>"$work/err" || status=$?
    cat "$work/out"
    sed 's/^/! /' "$work/err"
    echo "= $status"
done <commands >"$work/got"
# What the machine is called by must not be in a golden file.
sed "s|$work/case|.|g" "$work/got" >"$work/golden"

if [ -n "${MISCAST_BLESS:-}" ]; then
    cp "$work/golden" "$case/golden"
elif ! diff -u "$case/golden" "$work/golden"; then
    echo "$(basename "$case"): not as expected; MISCAST_BLESS=1 takes it as it is" >&2
    exit 1
fi
