#!/bin/sh
# Checks the project in the current folder on a Slurm cluster: an array of jobs parses it in parts, one
# more job links them. Waits for the findings, and exits as 'miscast check' does.
#
#   check.sh [SHARDS]
#
# The folder has to be on a file system that all nodes share. Results are in $PARTS (default: miscast-parts).
set -eu
shards=${1:-8}
here=$(cd "$(dirname "$0")" && pwd)
PARTS=${PARTS:-$PWD/miscast-parts}
export PARTS
rm -rf "$PARTS"
mkdir -p "$PARTS"
array=$(sbatch --parsable --array="1-$shards" --output="$PARTS/shard-%a.log" "$here/shard.sbatch")
# A shard exits with 3 if a file could not be parsed: the link says which, and goes on with the others.
status=0
sbatch --wait --dependency="afterany:$array" --output="$PARTS/link.log" "$here/link.sbatch" >/dev/null || status=$?
cat "$PARTS/link.log"
exit "$status"
