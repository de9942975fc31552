#!/bin/sh
# nearest.sh MISCAST: what verify says of places that a program does not get to: the branch in the way, or how it ended.
set -eu
miscast=$1
"$miscast" doctor | grep -q '^PyTorch *[0-9]' || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >branch.py <<'END'
import os

import torch

x = torch.ones(2, 2)


def total(text):
    return sum(ord(c) for c in text) % 65521


if not total(os.environ.get("KEY", "")) != 4711 and x is not None:
    print(x @ x.double())
END
cat >ended.py <<'END'
import torch

x = torch.ones(2, 2)
with open("weights.bin") as f:
    text = f.read()
print(x @ x.double())
END
cat >scaled.py <<'END'
import argparse

import torch


def train(layer, amp):
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler(enabled=amp)
    with torch.autocast("cuda", dtype=torch.float16, enabled=amp):
        loss = layer(torch.ones(2, 2)).sum()
    scaler.scale(loss).backward()
    torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()


parser = argparse.ArgumentParser()
parser.add_argument("--plain", action="store_true")
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
layer = torch.nn.Linear(2, 2)
if args.plain:
    print(layer.weight)
else:
    train(layer, args.amp)
END
cat >data.py <<'END'
import os
import sys

import torch

if not os.path.exists(os.environ.get("STORY_DATA", "nowhere")):
    sys.exit("STORY_DATA must name a file")
print(torch.randn(4).half() @ torch.randn(4, 4))
END
# One call for all: importing torch is what takes the time.
"$miscast" verify --no-cache branch.py data.py ended.py scaled.py >out 2>err || [ $? -eq 1 ]
# says FILE TEXT: what was said of the finding in FILE.
says() {
    awk -v file="$1" '/^[^ ]+\.py:[0-9]/ { here = index($0, file ":") == 1 } here' out >of
    grep -qF "$2" of || {
        cat out err
        echo "$1: no '$2'"
        exit 1
    }
}
says ended.py 'ended at ended.py:4 before that place with FileNotFoundError'
says data.py 'exited with 1 before that place: --run can name another command'
python=$("$miscast" doctor | sed -n 's/^PyTorch.*(Python 3\.\([0-9]*\).*/\1/p')
[ "$python" -lt 11 ] || says branch.py 'branch.py:12 needs'

# A run that gets there took the branches on the way: none of them is what it needs.
says scaled.py 'scaled.py ran on cpu and clipped gradients here that were not scaled'
! grep -F 'scaled.py:' of | grep -F ' needs ' || exit 1
