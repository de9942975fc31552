#!/bin/sh
# lower.sh MISCAST FOLDER: all model files are lowered, completely.
set -eu
miscast=$1
folder=$2
out=$(mktemp)
trap 'rm -f "$out"' EXIT
find "$folder" -name '*.py' | sort | while read -r file; do
    "$miscast" ir "$file" >"$out" 2>&1 || { cat "$out"; exit 1; }
    if grep -E '^(note|errors) | partial |not understood' "$out"; then
        echo "$file"
        exit 1
    fi
done
