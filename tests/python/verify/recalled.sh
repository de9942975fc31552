#!/bin/sh
# Verdicts of Python programs are recalled without running anything: the interpreter that they come from
# is gone when the report shows them.
#
#   recalled.sh MISCAST
set -eu
miscast=$1
/usr/bin/python3 -c 'import torch' 2>/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
HOME=$work
export HOME
mkdir "$work/p"
cd "$work/p"
git init -q 2>/dev/null || exit 77
printf 'import torch\n\nprint(torch.ones(2, 2).half() @ torch.ones(2, 2))\n' >main.py
printf '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' >own-python
chmod +x own-python
echo "python: $work/p/own-python" >.miscast.yaml

"$miscast" verify --format concise >"$work/out" 2>"$work/err" || true
if ! grep -q '(confirmed)' "$work/out"; then
    cat "$work/out" "$work/err" >&2
    grep -q 'not run' "$work/out" && exit 77
    exit 1
fi
rm own-python
"$miscast" report -o "$work/page" >"$work/out" 2>&1 || true
grep -rq 'confirmed' "$work/page" || {
    echo "the report has no verdict" >&2
    cat "$work/out" >&2
    exit 1
}
