#!/usr/bin/env python3
"""Records what PyTorch does with the expressions in python_expressions.txt.

    record_python.py EXPRESSIONS FILE.tsv.gz

Each line of EXPRESSIONS has the number of dimensions of a and b and an expression of them. The rows have the
expression itself in the first column; the others are as in tests/truth/rows/README.md, with .Nd behind the dtype
of an operand that has N dimensions. All sizes are 2. It needs PyTorch and a CUDA GPU, and is only needed to record
another version of PyTorch.
"""

import gzip
import itertools
import os
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../truth"))
import numpy as np
import record
import torch
import torch.nn.functional as F

RARE = {
    "u16": torch.uint16,
    "u32": torch.uint32,
    "u64": torch.uint64,
    "c64": torch.complex64,
    "c128": torch.complex128,
}
ALL = {**record.DTYPES, **RARE}
NAMES = {dtype: name for name, dtype in ALL.items()}
PAIRS = "bool u8 i32 i64 f16 bf16 f32 f64 c64".split()
REGIONS = (("cpu", "bf16"), ("cuda", "f16"), ("cuda", "bf16"))


def describe(result):
    if isinstance(result, torch.Tensor):
        return NAMES[result.dtype] + ("" if result.dim() else ".0d") + ("@cuda" if result.is_cuda else "")
    if isinstance(result, np.ndarray):
        return NAMES[torch.from_numpy(result).dtype] + ("" if result.ndim else ".0d")
    if isinstance(result, (np.generic, bool, int, float)):
        return "py:" + type(np.asarray(result).item()).__name__
    if isinstance(result, torch.dtype):
        return NAMES[result]
    return "py:" + type(result).__name__


def operand(spec):
    name, _, rest = spec.partition(".")
    dims, _, device = rest.partition("@")
    return torch.ones((2,) * int(dims.rstrip("d"))).to(ALL[name]).to(device or "cpu")


def evaluate(expression, specs, region=None):
    names = {"torch": torch, "F": F, "np": np}
    names.update(zip("ab", map(operand, specs)))
    if region:
        with torch.autocast(region[0], dtype=ALL[region[1]]):
            return eval(expression, names)
    return eval(expression, names)


def row(expression, specs, region=None):
    mode = "autocast:%s:%s" % region if region else "plain"
    result = record.outcome(lambda: evaluate(expression, specs, region), describe)
    return expression, mode, ",".join(specs), result


def rows(ranks, expression):
    count = 0 if ranks[0] < 0 else 1 if ranks[1] < 0 else 2
    for device in ("", "@cuda"):
        kinds = [list(ALL), PAIRS][count == 2] if count else []
        for names in itertools.product(kinds, repeat=count):
            specs = [f"{name}.{rank}d{device}" for name, rank in zip(names, ranks)]
            yield row(expression, specs)
            for region in REGIONS:
                plain = all(name in ("f16", "bf16", "f32") for name in names)
                if plain and count and (region[0] == "cuda") == bool(device):
                    yield row(expression, specs, region)
    for names in itertools.product(("f32", "i64"), repeat=2) if count == 2 else ():
        for devices in (("", "@cuda"), ("@cuda", "")):
            yield row(expression, [f"{n}.{r}d{d}" for n, r, d in zip(names, ranks, devices)])


def main():
    warnings.simplefilter("ignore")
    with open(sys.argv[1]) as lines, gzip.open(sys.argv[2], "wt") as out:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                a, b, expression = line.strip().split(None, 2)
                for r in rows((int(a), int(b)), expression):
                    out.write("\t".join(r) + "\n")


if __name__ == "__main__":
    main()
