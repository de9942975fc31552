"""What tensors on cuda do, as assertions that hold on a GPU and on the simulated cuda (../behaviour.py runs them).

    tensors.py    making, moving, devices and dtypes that may not meet, torch.cuda
    training.py   modules, autocast, gradients, optimizers, saving
    usage.py      idioms of programs that people write: they run through
"""
import sys

import torch

CASES = []
REAL = "--real" in sys.argv
CUDA0 = torch.device("cuda", 0)


def case(f):
    CASES.append(f)
    return f


def raises(words, f, kind=RuntimeError):
    try:
        f()
    except kind as e:
        assert words in str(e), f"raised {e!r}"
        return
    raise AssertionError("raised nothing")
