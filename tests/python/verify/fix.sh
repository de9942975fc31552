#!/bin/sh
# fix.sh MISCAST: verify --fix changes what was confirmed by running and runs well with the fix, in programs, in files that
# they import, and in functions that nobody calls; nothing else.
set -eu
miscast=$1
"$miscast" doctor | grep -q '^PyTorch *[0-9]' || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat >net.py <<'END_OF_FILE'
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 4)
        self.scale = torch.ones(4)

    def forward(self, x):
        return self.fc(x) * self.scale
END_OF_FILE
cat >train.py <<'END_OF_FILE'
import sys

import torch

from net import Net

x = torch.randn(2, 16, device="cuda")
if len(sys.stdin.read()) == 4711:
    print(x.half() @ torch.ones(16, device="cuda"))
print(Net().cuda()(x))
END_OF_FILE
cat >library.py <<'END_OF_FILE'
import torch


def product(x: torch.Tensor):
    return x.half() @ torch.ones(x.shape[-1], device=x.device)
END_OF_FILE
mkdir expected
sed 's/self.scale = torch.ones(4)/self.register_buffer("scale", torch.ones(4), persistent=False)/' net.py >expected/net.py
sed 's/device=x.device)/device=x.device, dtype=torch.float16)/' library.py >expected/library.py
cp train.py expected/train.py
"$miscast" verify --no-cache --fix train.py net.py library.py >out 2>&1 || [ $? -eq 1 ]
for file in net.py library.py train.py; do
    diff "expected/$file" "$file" || { cat out; exit 1; }
done
grep -q 'train.py:9:.*matmul-dtype' out && grep -q 'since the finding was not confirmed' out || { cat out; exit 1; }
