"""Records what PyTorch does with the classes in cases.txt and the statements in statements.txt, as rows.tsv. A helper
for development: it needs PyTorch 2.11 and a GPU.

    python3 tests/python/models/record.py > tests/python/models/rows.tsv

A row of a class: "class", its line, then members (name:p or b:dtype; p: parameter, b: buffer) as made, their dtypes after
half(), to(bfloat16) and double(), then the dtypes of forward's result, or its error, for each of MODES. A row of statements:
"statements", their line, what r is."""
import collections
import contextlib
import copy
import os
import sys
import warnings

import numpy
import torch
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
OrderedDict = collections.OrderedDict

# Dtype of the module (None: as made), of its inputs, device, autocast's device and dtype.
MODES = {
    "f32": (None, torch.float32, "cpu", None),
    "f16": (torch.float16, torch.float16, "cpu", None),
    "bf16": (torch.bfloat16, torch.bfloat16, "cpu", None),
    "f64": (torch.float64, torch.float64, "cpu", None),
    "f16 module, f32 input": (torch.float16, torch.float32, "cpu", None),
    "f32 module, f16 input": (None, torch.float16, "cpu", None),
    "f32 module, f64 input": (None, torch.float64, "cpu", None),
    "autocast bf16": (None, torch.float32, "cpu", torch.bfloat16),
    "cuda f32": (None, torch.float32, "cuda", None),
    "cuda f16": (torch.float16, torch.float16, "cuda", None),
    "cuda f16 module, f32 input": (torch.float16, torch.float32, "cuda", None),
    "cuda autocast f16": (None, torch.float32, "cuda", torch.float16),
    "cuda autocast f16, f16 module": (torch.float16, torch.float32, "cuda", torch.float16),
    "cuda module, cpu input": (None, torch.float32, "cuda<cpu", None),
}


def lines(name):
    with open(os.path.join(HERE, name)) as f:
        return [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]


def short(dtype):
    return str(dtype).replace("torch.", "")


def describe(x):
    if isinstance(x, torch.Tensor):
        return short(x.dtype) + ("@cuda" if x.is_cuda else "")
    if isinstance(x, (tuple, list)):
        return "(" + " ".join(describe(e) for e in x) + ")"
    return str(x)


def error(e):
    return f"{type(e).__name__}: {str(e).strip().splitlines()[0] if str(e).strip() else ''}"[:110].replace("\t", " ")


def members(m):
    of = [f"{n}:p:{short(p.dtype)}" for n, p in m.named_parameters()]
    return " ".join(of + [f"{n}:b:{short(b.dtype)}" for n, b in m.named_buffers()]) or "-"


def dtypes(m):
    return " ".join(member.split(":")[2] for member in members(m).split() if member != "-") or "-"


def guarded(f):
    try:
        return f()
    except Exception as e:
        return error(e)


def inputs_in(dtype, device):
    on = dict(dtype=dtype, device=device)
    return {
        "F": lambda *size: torch.randn(size).to(**on),
        "P": lambda *size: torch.rand(size).mul(0.9).add(0.05).to(**on),
        "I": lambda n, *size: torch.randint(n, size, device=device),
        "B": lambda *size: torch.zeros(size, dtype=torch.bool, device=device),
    }


def forward(make, takes, mode):
    dtype, input_dtype, device, cast = mode
    on, _, of = device.partition("<")
    m = eval(make).to(on)
    if dtype:
        m = m.to(dtype)
    names = dict(globals(), **inputs_in(input_dtype, of or on))
    # Cases that make tensors themselves make them there.
    with torch.device(of or on) if (of or on) != "cpu" else contextlib.nullcontext():
        args, kwargs = eval(f"(lambda *a, **k: (a, k))({takes})", names)
    with torch.autocast(on, dtype=cast or torch.bfloat16, enabled=cast is not None):
        return describe(m(*args, **kwargs))


def class_row(line):
    make, _, takes = line.partition("\t")
    row = [members(eval(make)), dtypes(eval(make).half()), dtypes(eval(make).to(torch.bfloat16)),
           dtypes(eval(make).double())]
    return row + [guarded(lambda: forward(make, takes, mode)) if takes else "-" for mode in MODES.values()]


def statements_result(line):
    names = dict(globals())
    exec(line.replace("; ", "\n") if line.startswith("torch.set") else line, names)
    return describe(names["r"])


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    print("# PyTorch", torch.__version__)
    print("\t".join(["# class", "made", "takes", "as made", "half()", "to(bfloat16)", "double()", *MODES]))
    for line in lines("cases.txt"):
        make, _, takes = line.partition("\t")
        print("\t".join(["class", make, takes or "-", *guarded(lambda: class_row(line))]))
    for line in lines("statements.txt"):
        print("\t".join(["statements", line, guarded(lambda: statements_result(line))]))
        torch.set_default_dtype(torch.float32)


if __name__ == "__main__":
    sys.exit(main())
