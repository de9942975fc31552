#!/bin/sh
# check.sh MISCAST WATCHER: check.py by the interpreter that miscast finds; without one that has torch it is skipped.
set -eu
python=$("$1" doctor | sed -n 's/^PyTorch *[0-9].*, by \([^ ]*\) .*/\1/p')
[ -n "$python" ] || exit 77
export OMP_NUM_THREADS=1
"$python" -B "${0%/*}/check.py" "$2"
# Comparisons that are read some at a time, as on a GPU.
MISCAST_RUN_WAITS=1 "$python" -B "${0%/*}/check.py" "$2" lists integers functions gradients meter right/training
