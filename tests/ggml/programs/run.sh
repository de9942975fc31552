#!/bin/sh
# run.sh GGML BUILD: runs every program, right and wrong, with ggml: its source, and the folder of its
# libraries. Prints what became of each: ok with the sum of the result, abort-build, abort-compute.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GGML_NO_BACKTRACE=1 LD_LIBRARY_PATH="$2/src"

for program in "$here"/*.cpp; do
    name=$(basename "$program" .cpp)
    [ "$name" != run ] || continue
    for flag in -DRIGHT -DBUG; do
        c++ -std=c++17 -O1 -w $flag -I"$1/include" -I"$here" "$program" "$here/run.cpp" -o "$work/program" \
            -L"$2/src" -lggml -lggml-cpu -lggml-base
        if "$work/program" >"$work/out" 2>/dev/null; then
            outcome="ok $(sed -n 's/computed //p' "$work/out")"
        elif grep -q built "$work/out"; then
            outcome=abort-compute
        else
            outcome=abort-build
        fi
        printf '%s %s %s\n' "$name" "${flag#-D}" "$outcome"
    done
done
