#!/bin/sh
# What is assumed of code that cannot be seen: the finding that follows from it is reported, the
# assumption is counted, and with --strict neither.
#
#   strict.sh MISCAST
set -eu
miscast=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cd "$work"
unset MISCAST_PACKS FORCE_COLOR
NO_COLOR=1
export NO_COLOR
failures=0

# each NAME: the program on stdin fails if what is assumed is true
each() {
    cat >"$1.py"
    "$miscast" check -v --isolated --no-cache --exit-zero "$1.py" >out 2>said
    if ! grep -q '\[matmul-dtype\]' out || ! grep -q '1 assumption about what cannot be seen' said; then
        echo "FAIL $1: not reported, or not counted"
        cat out said
        failures=$((failures + 1))
    fi
    "$miscast" check -v --isolated --no-cache --exit-zero --strict "$1.py" >out 2>said
    if [ -s out ] || grep -q 'assumption' said; then
        echo "FAIL $1: with --strict"
        cat out said
        failures=$((failures + 1))
    fi
}

each decorator <<'END'
import torch
from somewhere import traced

@traced
def product(x, w):
    return x @ w

product(torch.ones(2, 2), torch.ones(2, 2).half())
END
each base <<'END'
import torch
from somewhere import Base

class Layer(Base):
    def set(self):
        self.weight = torch.ones(2, 2).half()

    def product(self, x):
        return x @ self.weight

layer = Layer()
layer.set()
layer.product(torch.ones(2, 2))
END
each call <<'END'
import torch
from somewhere import look

w = torch.ones(2, 2).half()
look(w)
torch.ones(2, 2) @ w
END
each region <<'END'
import torch
from somewhere import timer

w = torch.ones(2, 2).half()
with timer():
    torch.ones(2, 2) @ w
END
each names <<'END'
import torch

def narrow(x):
    return x.half()

half = False
exec(open("settings.py").read())
x = torch.ones(2, 2)
if half:
    x = narrow(x)
x @ torch.ones(2, 2)
END

# What never happens if a layer has features is reported with --strict only.
cat >size.py <<'END'
import argparse
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--classes", type=int, default=2)
classes = parser.parse_args().classes
layer = nn.Linear(4, classes)
x = torch.ones(2, 4)
if classes == 0:
    x = x.half()
layer(x)
END
"$miscast" check -v --isolated --no-cache --exit-zero size.py >out 2>said
if [ -s out ] || ! grep -q '1 assumption about what cannot be seen' said; then
    echo 'FAIL size: reported, or not counted'
    failures=$((failures + 1))
fi
"$miscast" check -v --isolated --no-cache --exit-zero --strict size.py >out 2>said
if ! grep -q 'when classes == 0' out; then
    echo 'FAIL size: with --strict'
    failures=$((failures + 1))
fi

# What the language has is no assumption; neither is a file.
cat >plain.py <<'END'
import torch

class Error(Exception):
    pass

def load(path):
    with open(path) as f:
        return [line for line in f]

names = load("names.txt")
kept = [k for k, v in globals().items() if isinstance(v, int)]
x = torch.ones(len(names), 2) @ torch.ones(2, 2)
END
"$miscast" check --isolated --no-cache plain.py >out 2>said
if grep -q assumption said; then
    echo 'FAIL plain.py'
    cat said
    failures=$((failures + 1))
fi
[ "$failures" = 0 ]
