#!/bin/sh
# compare.sh MISCAST FOLDER: two columns of rows.tsv, and all statements, against what is inferred; known.txt has what
# does not agree. Skipped (77) without Python.
set -eu
command -v python3 >/dev/null || exit 77
PYTHONDONTWRITEBYTECODE=1 exec python3 "$2/compare.py" "$1" "$2" "$2/known.txt" "f16 module, f32 input" "cuda autocast f16"
