#!/bin/sh
# Every kind of bug can be planted somewhere; a seed stands for one bug, which changes one file.
#
#   plant.sh PLANT MODELS
set -eu
plant=$1 models=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$models"
"$plant" --list */*.c >"$work/list"
if awk '$3 == 0' "$work/list" | grep . >&2; then
    echo "these have no place" >&2
    exit 1
fi
mkdir "$work/a" "$work/b"
for seed in 1 2 3 4 5 6 7 8; do
    for twin in a b; do
        rm -rf "$work/$twin"
        cp -R . "$work/$twin"
        (cd "$work/$twin" && "$plant" $seed */*.c) >"$work/$twin.said"
    done
    cmp "$work/a.said" "$work/b.said"
    diff -r "$work/a" "$work/b" >&2
    [ "$(diff -rq . "$work/a" | wc -l)" -eq 1 ] || { echo "seed $seed does not change one file" >&2; exit 1; }
done
