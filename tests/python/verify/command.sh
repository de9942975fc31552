#!/bin/sh
# command.sh MISCAST: verify --run on a Python project: tests of the user are run with what they start, every interpreter
# that imports torch is observed, and the findings that some of them reach get a verdict.
set -eu
miscast=$1
python=$("$miscast" doctor | sed -n 's/^PyTorch *[0-9].* by \(.*\) (Python.*/\1/p')
[ -n "$python" ] || exit 77
"$miscast" doctor | grep -q '^sandbox *namespaces' || { echo "skipped: no namespaces here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/project/tests"
cd "$work/project"
unset MAKEFLAGS
export NO_COLOR=1

cat >layer.py <<'END_OF_FILE'
import torch


def product(x: torch.Tensor, key):
    """The word is one that nobody guesses."""
    if hash_of(key) == 4711:
        return x.half() @ torch.ones(x.shape[-1])
    return x


def hash_of(text):
    total = 0
    for c in text:
        total = (total * 31 + ord(c)) % 65521
    return total


def shift(x: torch.Tensor):
    return x + torch.ones(x.shape[-1])


def never(x: torch.Tensor, secret):
    if secret is END:
        return x.half() @ torch.ones(x.shape[-1])


END = object()
END_OF_FILE
: >tests/__init__.py
cat >tests/test_layer.py <<'END_OF_FILE'
import subprocess
import sys
import unittest

import torch

import layer


class Test(unittest.TestCase):
    def test_product(self):
        layer.product(torch.ones(2, 3), WORD)

    def test_child(self):
        """In a process of its own."""
        subprocess.run([sys.executable, "-c", "import torch, layer; layer.shift(torch.ones(2).cuda())"])
END_OF_FILE
word=$("$python" - <<'END_OF_FILE'
import itertools
import string
for letters in itertools.product(string.ascii_lowercase, repeat=4):
    total = 0
    for c in letters:
        total = (total * 31 + ord(c)) % 65521
    if total == 4711:
        print("".join(letters))
        break
END_OF_FILE
)
sed -i "s/WORD/\"$word\"/" tests/test_layer.py

"$miscast" verify --no-cache --run "$python -m unittest discover -s tests -t ." layer.py >out 2>err || [ $? -eq 1 ]
fail() {
    cat out err
    exit 1
}
grep -A9 '^layer.py:7:' out | grep -q 'confirmed: [^ ]*python[^ ]* -m unittest discover -s tests -t \. ran on cpu and raised .*Half' || fail
grep -A9 '^layer.py:19:' out | grep -q "confirmed: .*layer.shift.* in '.*' ran on simulated cuda and raised" || fail
grep -A9 '^layer.py:24:' out | grep -q 'not reached:' || fail
grep -q "^miscast: ran '.*': 2 processes used PyTorch; it exited with 1" err || fail
[ ! -e tests/__pycache__ ] && [ ! -e __pycache__ ] || fail
