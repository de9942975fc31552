#!/bin/sh
# run.sh MISCAST FOLDER FILE: the program prints the same when its IR is interpreted as when Python runs
# it. Skipped (77) without a Python that has "match".
set -eu
miscast=$1
folder=$2
file=$3
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || exit 77
out=$(mktemp -d)
trap 'rm -f "$out/ir" "$out/want" "$out/got"; rmdir "$out"' EXIT
"$miscast" ir "$file" >"$out/ir" 2>/dev/null
PYTHONIOENCODING=utf-8 python3 "$file" >"$out/want"
PYTHONIOENCODING=utf-8 PYTHONDONTWRITEBYTECODE=1 python3 "$folder/interpret.py" "$out/ir" >"$out/got"
[ -s "$out/want" ]
diff "$out/want" "$out/got"
