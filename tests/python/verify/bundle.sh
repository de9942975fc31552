#!/bin/sh
# bundle.sh MISCAST: findings are written as a bundle, run from there with nothing but Python and torch, where the project
# is not, and read back: the verdicts must be those of running them directly.
set -eu
miscast=$1
python=$("$miscast" doctor | sed -n 's/^PyTorch *[0-9].* by \(.*\) (Python.*/\1/p')
[ -n "$python" ] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/project/package"
cd "$work/project"
export NO_COLOR=1
cat >train.py <<'END_OF_FILE'
import argparse
import os

import torch

from package.layer import Layer

parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
model = Layer().cuda()
if parser.parse_args().half:
    model.half()
if os.environ.get("SUM") == "half":
    print(torch.full((4096,), 1.001, device="cuda").half().cumsum(0)[-1])
print(model(torch.randn(2, 8, device="cuda")))
END_OF_FILE
: >package/__init__.py
cat >package/layer.py <<'END_OF_FILE'
import torch
from torch import nn

from .width import WIDTH


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        return self.fc(x)

    def spare(self, x: torch.Tensor):
        return self.fc(x) + torch.ones(WIDTH)
END_OF_FILE
echo "WIDTH = 8" >package/width.py

cat >line.py <<'END_OF_FILE'
import torch

x, w = torch.ones(2, 2).half(), torch.ones(2, 2)
y, v = torch.ones(2, 2).double(), torch.ones(2, 2)
print((x.float() @ w).sum(-1), x @ w.transpose(-2, -1), y @ v)
END_OF_FILE

"$miscast" verify --no-cache --emit "$work/bundle" --format concise . >"$work/here" 2>"$work/said" || [ $? -eq 1 ]
grep -q 'layer.py:13:.*(confirmed)' "$work/here" && grep -q 'layer.py:16:.*(confirmed)' "$work/here" ||
    { cat "$work/here" "$work/said"; exit 1; }
grep -q "line.py:5:32: .*(confirmed)" "$work/here" && grep -q "line.py:5:57: .*(not reached)" "$work/here" ||
    { cat "$work/here" "$work/said"; exit 1; }
mv "$work/project" "$work/away"
mv "$work/bundle" "$work/elsewhere"
"$python" "$work/elsewhere/run.py" --jobs 2 >"$work/ran" 2>&1 || { cat "$work/ran"; exit 1; }
grep -q 'cases were run with torch .*, cuda simulated' "$work/ran" || { cat "$work/ran"; exit 1; }
mv "$work/away" "$work/project"
cd "$work/project"
"$miscast" verify --no-cache --import "$work/elsewhere" --format concise . >"$work/there" 2>"$work/said" || [ $? -eq 1 ]
diff "$work/here" "$work/there" || { cat "$work/ran" "$work/said"; exit 1; }

# As before Python 3.11, where only lines are known.
MISCAST_LINES_ONLY=1 "$python" "$work/elsewhere/run.py" --jobs 2 >"$work/ran" 2>&1 || { cat "$work/ran"; exit 1; }
grep -q '"calls": 7' "$work"/elsewhere/matmul-dtype-*/verdict.json && ! grep -q '"column"' "$work"/elsewhere/*/verdict.json ||
    { echo "places have columns"; exit 1; }
"$miscast" verify --no-cache --import "$work/elsewhere" --format concise . >"$work/there" 2>"$work/said" || [ $? -eq 1 ]
diff "$work/here" "$work/there" || { cat "$work/ran" "$work/said"; exit 1; }

# What ran with other code is not judged.
echo "WIDTH = 4 + 4" >package/width.py
"$miscast" verify --no-cache --import "$work/elsewhere" . 2>&1 | grep -q 'its code has changed since' || exit 1
