#!/bin/sh
# command.sh MISCAST: miscast run on Python commands of several kinds: a script, its options, a module, a script with its
# own interpreter, a program that fails, one without torch. Without an interpreter that can import torch it is skipped.
set -eu
miscast=$1
python=$("$miscast" doctor | sed -n 's/^PyTorch *[0-9].*, by \([^ ]*\) .*/\1/p')
[ -n "$python" ] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export NO_COLOR=1 OMP_NUM_THREADS=1

cat >pixels.py <<'PY'
import sys

import torch

frame = torch.full((2, 2), 200, dtype=torch.uint8)
brighter = frame + int(sys.argv[1])
print(brighter.max().item())
if "fail" in sys.argv:
    sys.exit(5)
PY
printf '#!%s\nimport runpy\nrunpy.run_path("pixels.py", run_name="__main__")\n' "$python" >start
chmod +x start

fail() {
    printf '%s\n' "$1"
    cat out err
    exit 1
}
# expect CODE COMMAND...: runs it and compares the exit code.
expect() {
    code=$1
    shift
    status=0
    "$@" >out 2>err || status=$?
    [ "$status" -eq "$code" ] || fail "exit code $status instead of $code: $*"
}

expect 0 "$miscast" run -- "$python" pixels.py 5
grep -qx 205 out || fail "the program's own output is missing"
grep -q '0 findings' err || fail "it is not silent"
expect 1 "$miscast" run "$python" pixels.py 100
grep -qF 'pixels.py:6:12: warning: wrap-around: add gave 44 instead of 300 in u8 [run-wrap]' out || fail "no finding"
grep -qF '  it became u8  pixels.py:5:9' out || fail "no lineage"
expect 1 "$miscast" run --format concise ./start 100
grep -q '^pixels.py:6:12: .*run-wrap' out || fail "nothing of a script with its own interpreter"
expect 1 "$miscast" run --format json "$python" -m pixels 100 fail
grep -q '"run-wrap"' out || fail "nothing of a module"
grep -q 'exited with 5' err || fail "how it ended is missing"
# What the workers of a loader lose is one finding.
cat >loader.py <<'PY'
import torch
from torch.utils.data import DataLoader


class Frames(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.tensor([i, 200], dtype=torch.uint8) + 100


if __name__ == "__main__":
    print(len(list(DataLoader(Frames(), batch_size=2, num_workers=2))))
PY
expect 1 "$miscast" run "$python" loader.py
grep -q '1 finding$' err || fail "workers are not merged"
grep -q '; 8 times;' out || fail "workers are not counted"
expect 3 "$miscast" run "$python" -c 'print(1)'
grep -q 'ran no tensor operation' err || fail "nothing is said about a program without torch"
