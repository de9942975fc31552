#!/bin/sh
# csmith.sh ROBUST [COUNT [SEED]]: analyses the programs that Csmith generates from the seeds
# SEED, SEED + 1 and so on. They use all of C and no tensors: no crash, no hang, no finding. Programs that
# fail are kept in the place that the output names. Without Csmith the test is skipped.
set -eu
pack=$(realpath "$(dirname "$0")")/everything.yaml
robust=$(realpath "$1")
count=${2-20}
seed=${3-1}

include=${CSMITH_INCLUDE-/usr/include/csmith}
if ! command -v csmith >/dev/null 2>&1 || [ ! -f "$include/csmith.h" ]; then
    echo "csmith.sh: skipped: Csmith or its headers are not there"
    exit 77
fi

folder=$(mktemp -d "${TMPDIR-/tmp}/csmith.XXXXXX")
cd "$folder"
end=$((seed + count))
while [ "$seed" -lt "$end" ]; do
    # It gives up on some seeds by itself.
    timeout 60 csmith --seed "$seed" --output "$folder/$seed.c" >made 2>&1 || rm -f "$seed.c"
    seed=$((seed + 1))
done

if "$robust" -j 2 -t 60 -k "$pack" "$folder"/*.c -- -I"$include"; then
    rm -f ./*.c made platform.info
    rmdir "$folder"
else
    exit 1
fi
