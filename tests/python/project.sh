#!/bin/sh
# project.sh MISCAST: what people see and use in a project with Python files: messages, suppressions, folders, types,
# trace, the hook, diff and baselines.
set -eu
miscast=$1
fixtures=$(cd "$(dirname "$0")" && pwd)/fixtures
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/p"
cd "$folder/p"

fail() {
    echo "$*"
    cat ../out ../err
    exit 1
}

# run CODE COMMAND...: runs it, expecting that exit code
run() {
    wanted=$1
    shift
    code=0
    "$@" >../out 2>../err || code=$?
    [ "$code" -eq "$wanted" ] || fail "$* returned $code, not $wanted"
}

# has TEXT: a line of the output contains it
has() {
    grep -qF -- "$1" ../out || fail "not printed: $1"
}

hasnt() {
    ! grep -qF -- "$1" ../out || fail "printed: $1"
}

mkdir src
cat >src/net.py <<END
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 4)
        self.scale = torch.ones(4)

    def forward(self, x):
        return self.fc(x) * self.scale
END
cat >src/train.py <<END
import argparse

import torch

from net import Net

parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = Net().cuda()
if args.half:
    model.half()
print(model(torch.randn(2, 16, device="cuda")))
END

# Dtypes, operators and parameters as in Python.
run 1 "$miscast" check src/train.py
has "warning: linear needs one dtype: input is float32, weight is float16 [matmul-dtype]"
has "input became float32"
has "model.half()  when args.half"
has "error: '*' needs its operands on one device: 'self.fc(x)' is on cuda, 'self.scale' on cpu"
cat >scaled.py <<END
import torch

model = torch.nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
with torch.autocast("cuda"):
    loss = model(torch.randn(4, 4, device="cuda")).sum()
scaler.scale(loss).backward()
optimizer.step()
END
run 1 "$miscast" check scaled.py
has "optimizer.step() uses gradients that are still scaled: scaler.step(optimizer) does not"
hasnt mc_
cat >loader.py <<END
import torch
from torch.utils.data import DataLoader, TensorDataset

model = torch.nn.Linear(4, 4)
data = TensorDataset(torch.zeros(8, 4, dtype=torch.float64))
for (x,) in DataLoader(data, batch_size=2):
    print(x.shape)
    model(x)
END
run 1 "$miscast" check loader.py
hasnt _mc
has "for (x,) in DataLoader(data, batch_size=2)"
hasnt "print(x.shape) model(x)"
rm scaled.py loader.py

# Model files are not shown, however a function is entered.
cat >decorated.py <<END
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)

    @torch.no_grad()
    def forward(self, x):
        return self.fc(x)


@torch.no_grad()
def evaluate(model, x):
    h = x.double()
    return model(h)


evaluate(Net(), torch.zeros(1, 4))
END
run 1 "$miscast" check decorated.py
has "called from decorated.py:20"
hasnt __init__.py
run 1 "$miscast" check --format json decorated.py
hasnt __init__.py
run 1 "$miscast" check --format sarif decorated.py
hasnt packs/python
run 0 "$miscast" trace decorated.py:17:18
hasnt __init__.py

# What functions that nobody calls need, and pictures.
cat >needs.py <<END
import torch


def embed(table, ids):
    return torch.nn.functional.embedding(ids, table)


class Scorer:
    def score(self, x, w):
        return torch.softmax(x, -1) @ w
END
run 0 "$miscast" contracts needs.py
has "needs.py:4:1: embed needs"
has "embedding takes int32|int64: ids"
has "Scorer.score needs"
hasnt "(init)"
run 0 "$miscast" graph decorated.py --function evaluate
has "h = x.double()"
has "float64 cpu"
run 0 "$miscast" graph decorated.py --function Net.forward
has "matmul-dtype"
run 0 "$miscast" graph decorated.py --function forward -o ../forward.svg
grep -q "self.fc()" ../forward.svg || fail "the picture does not show the call"
run 2 "$miscast" graph decorated.py --function backward

# Parts that are linked, also of both languages.
run 0 "$miscast" check --shard 1/2 -o ../one src
run 0 "$miscast" check --shard 2/2 -o ../two src
run 1 "$miscast" link ../one ../two
has "[matmul-dtype]"
has "[device-mismatch]"
rm decorated.py needs.py

# Lineages show whole assignments, and devices where these are the reason; f32 that was asked for, or
# that is written to, is not "by default".
cat >words.py <<END
import torch

wanted = torch.float32
conv = torch.nn.Conv2d(3, 3, 1)
a: torch.Tensor = torch.ones(4, 4)
b, c = a[:, 0], a.half()[:, 1]
d, e = a.half().T, a
x = d * torch.ones(4).to(wanted)
x += d
try:
    conv(torch.ones(1, 3, 8, 8, device="cuda"))
except RuntimeError:
    pass
try:
    d @ a
except RuntimeError:
    pass
b @ c
END
run 1 "$miscast" check words.py
has "input is on cuda"
has "a: torch.Tensor = torch.ones(4, 4)"
has "b, c = a[:, 0], a.half()"
hasnt "by default"
rm words.py

# A loop is no condition.
cat >loop.py <<END
import torch

x = torch.ones(2, 2)
for _ in range(int(input())):
    x = x.half()
for a, b in input():
    x = x.half()
while input():
    x = x.half()
x @ torch.ones(2, 2)
END
run 1 "$miscast" check loop.py
has "[matmul-dtype]"
hasnt "when for"
hasnt "not for"
hasnt "not a, b"
hasnt "not input"
rm loop.py

# Suppressions.
cat >suppressed.py <<END
import torch


def a():
    return torch.ones(2, 2) @ torch.ones(2, 2).half()  # noqa


def b():
    return torch.ones(2, 2) @ torch.ones(2, 2).half()  # NOQA: E501, MC101


def c():
    return torch.ones(2, 2) @ torch.ones(2, 2).half()  # miscast: ignore[matmul-dtype] why


def d():
    # miscast: ignore
    return torch.ones(2, 2) @ torch.ones(2, 2).half()


def e():
    return torch.ones(2, 2) @ torch.ones(2, 2).half()  # noqa: matmul-dtype
END
run 0 "$miscast" check suppressed.py
cat >lines.py <<END
import torch


def f():
    return torch.matmul(
        torch.ones(2, 2),
        torch.ones(2, 2).half(),  # miscast: ignore[matmul-dtype] known
    )


def g():
    return torch.matmul(
        torch.ones(2, 2),
        torch.ones(2, 2).half(),
    )  # noqa: MC101


def h():
    # miscast: ignore[matmul-dtype]
    x = (
        torch.ones(2, 2)
        @ torch.ones(2, 2).half()
    )
    return x @ torch.ones(2, 2)
END
run 0 "$miscast" check lines.py
rm lines.py
cat >unused.py <<END
import torch

# flake8: noqa
a = torch.ones(2, 2)  # noqa: MC101
b = torch.ones(2, 2)  # miscast: ignore[MC101]
c = torch.ones(2, 2)  # noqa: E501, F401 - re-exported for callers
d = torch.ones(2, 2)  # noqa
print("# noqa: MC102")
# noqa: MC101
a @ torch.ones(2, 2).half()  # noqa: E501
END
run 1 "$miscast" check --format concise unused.py
has "unused.py:4:23: warning: there is no finding of MC101 to suppress here [unused-suppression]"
has "unused.py:5:23: warning: there is no finding of MC101 to suppress here [unused-suppression]"
has "unused.py:10:1: error: '@' needs one dtype"
[ "$(wc -l <../out)" -eq 3 ] || fail "more is reported"
run 1 "$miscast" check --fix unused.py
grep -qxF 'b = torch.ones(2, 2)' unused.py || fail "the comment is not removed"
run 1 "$miscast" check --format concise unused.py
cat >whole.py <<END
# miscast: ignore-file[matmul-dtype]
import torch

torch.ones(2, 2) @ torch.ones(2, 2).half()
END
run 0 "$miscast" check whole.py
rm suppressed.py unused.py whole.py

# Folders; not what is installed, hidden or a copy.
echo 'import torch; torch.ones(2, 2) @ torch.ones(2, 2).half()' >bad.py
for d in .venv env/lib/site-packages/x node_modules build/lib dist; do
    mkdir -p $d
    cp bad.py $d
done
touch env/pyvenv.cfg
rm bad.py
for paths in "" . src; do
    run 1 "$miscast" check --format concise $paths
    has "src/net.py:12:16: error:"
    [ "$(wc -l <../out)" -eq 2 ] || fail "more is reported"
done
run 1 "$miscast" check --format concise build/lib/bad.py
rm -r .venv env node_modules build dist
cat >main.c <<END
#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *a = mc_ones(mc_shape(2, 2)), *b = mc_ones(mc_shape(2, 2), .dtype = MC_F16);
    mc_matmul(a, b);
    return 0;
}
END
run 1 "$miscast" check --format concise -j 2 .
has "src/net.py:12:16: error:"
has "main.c:"
rm main.c

# What the engine sees.
run 0 "$miscast" types src/net.py src/train.py
has "self.fc(), x: float32 cuda"
has "self.scale: float32 cpu, all 1"
run 0 "$miscast" trace src/net.py:12:16 src/train.py
has "self.fc() is float32 cuda"
has "when not args.half"
has 'torch.randn(2, 16, device="cuda") gave float32 cuda'
hasnt "detach"
# A cast that changes nothing is one step in all cases; the condition is that of the finding's case.
cat >unchanged.py <<'END'
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--wide", action="store_true")
args = parser.parse_args()
dtype = torch.bfloat16
if args.wide:
    dtype = torch.float64
x = torch.zeros(4, 8, dtype=dtype)
y = x.to(dtype)
print(y.half())
END
run 0 "$miscast" check unchanged.py
has "when not args.wide"
rm unchanged.py
run 0 "$miscast" types --assume 'Net.*=bfloat16@cuda' src/net.py
has "self.fc(): bfloat16 cuda"
has "self.scale: float32 cpu, all 1"
run 2 "$miscast" check --assume 'Net.*=bfloat@cuda' src/net.py

# A baseline, and reports.
run 0 "$miscast" baseline write --baseline known.json src
run 0 "$miscast" check --baseline known.json src
rm known.json
run 1 "$miscast" report -o ../page src
grep -q 'float16' ../page/index.html || fail "the report has no dtypes of Python"
run 1 "$miscast" check --format sarif src
has "input is float32, weight is float16"
run 1 "$miscast" check --format json src
has "input is float32, weight is float16"

# pyproject.toml.
cat >pyproject.toml <<END
[project]
description = """
[tool.miscast]
select = []
"""

[tool.miscast]  # ours
ignore = [
    "device",  # all of them
]
per-file-ignores = { "src/n*" = ['MC101'] }
[tool.other]
miscast = 1
END
run 0 "$miscast" check src
cat >pyproject.toml <<END
[tool.miscast]
fail-on = "error"
ignore = ["device"]

[tool.miscast.per-file-ignores]
"src/x*" = ["MC101"]
END
run 0 "$miscast" check --format concise src
has "src/net.py:12:16: warning: linear"
hasnt "on one device"
printf '[tool.x]\n\n[tool.miscast]\nselect = [\n  "nothing-such"\n]\n' >pyproject.toml
run 2 "$miscast" check src
grep -q "pyproject.toml:5:4: unknown rule 'nothing-such'" ../err || fail "the place is wrong"
for wrong in 'a.b = 1' 'select = """' 'select = ["x"' 'selct = []'; do
    printf '[tool.miscast]\n%s\n' "$wrong" >pyproject.toml
    run 2 "$miscast" check src
    grep -q "pyproject.toml:[23]:" ../err || fail "no place"
done
printf '[project]\nname = "x"\n' >pyproject.toml
echo 'ignore: [device, MC101]' >.miscast.yaml
run 0 "$miscast" check src
rm pyproject.toml .miscast.yaml

# Nothing is analysed again if nothing changed; whatever is imported counts.
mkdir ../store
again() {
    run "$1" "$miscast" check --cache-dir ../store --format concise src/train.py
}
again 1
cp ../out ../first
again 1
cmp ../out ../first || fail "the second run differs"
cp src/net.py ../net.py
sed 's/torch.ones(4)/nn.Parameter(torch.ones(4))/' ../net.py >src/net.py
again 1
hasnt "on one device"
cp ../net.py src/net.py
again 1
has "on one device"
mkdir src/net
echo 'class Net: pass' >src/net/__init__.py
mv src/net.py ../net.py
again 0
rm -r src/net
cp ../net.py src/net.py
again 1

# The hook, and what a commit introduces.
git init -q .
git config user.email a@example.org
git config user.name a
git add src
run 1 "$miscast" hook run
has "src/net.py:12:16: error:"
grep -qF "# miscast: ignore[" ../err || fail "the comment is not Python's"
! grep -q "compile database" ../err || fail "a database is asked for"
git commit -q -m one
echo 'torch.ones(2, 2) @ torch.ones(2, 2).half()' >>src/net.py
git commit -q -a -m two
run 1 "$miscast" diff HEAD~1 HEAD
has "src/net.py:13:1: error:"

# A long training program is followed to its end: a step ends with its backward, whatever keeps the loss.
cp "$fixtures/training.py" .
run 1 "$miscast" check --no-cache training.py
has "training.py:92:7: error:"
! grep -q "cut short" ../err || fail "the analysis was cut short"

# Behind an error, others that have nothing to do with it: not with what the failing call returns or is given.
cat >../several.py <<END
import torch
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4)
        self.scale = torch.ones(4)
        self.fc = nn.Linear(4, 4)
        self.gate = nn.Linear(4, 1)

    def forward(self, ids, features):
        h = self.emb(ids) * self.scale
        h = self.fc(h).to(h.dtype) / self.scale
        return self.fc(h) + self.gate(features)


net = Net().cuda()
for step in range(2):
    out = net(torch.zeros(2, dtype=torch.int64, device="cuda"), torch.randn(2, 4))
    loss = F.mse_loss(out, torch.randn(2, 4))
    loss.backward()
counts = torch.zeros(4, dtype=torch.int64)
counts += torch.rand(4)
counts.float()[torch.ones(4)]
print(F.cross_entropy(torch.rand(4, 4), counts))
print(torch.rand(2, 2) @ torch.rand(2, 2).double())
END
run 1 "$miscast" check --no-cache --format concise ../several.py
[ "$(sed -n 's/^[^:]*several.py:\([0-9]*\):.* error: .*/\1/p' ../out | tr '\n' ' ')" = "15 17 26 29 " ] ||
    fail "not these lines"

# Of the model files, those are read that the program can get to, by names that it has put together, too.
cat >built.py <<END
import torch
from torch import nn

sizes = 2
layer = getattr(nn, f"Conv{sizes}d")(3, 4, 1)
print(layer(torch.ones(1, 3, 8, 8).half()))
END
cat >starred.py <<END
import torch
from torch.nn import *

print(Linear(2, 2)(torch.ones(2, 2).half()))
END
run 1 "$miscast" check --no-cache built.py starred.py
has "built.py:6:7: error: conv2d"
has "starred.py:4:7: error: linear"
