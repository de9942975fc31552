#!/bin/sh
# Runs a Python program of this folder with an interpreter that has torch: run.sh PROGRAM [ARGUMENT...]. Without one it is skipped.
set -u
for python in "${MISCAST_PYTHON:-}" python3 /usr/bin/python3; do
    if [ -n "$python" ] && "$python" -c 'import torch' >/dev/null 2>&1; then
        exec "$python" -B "$@"
    fi
done
echo "no Python with torch"
exit 77
