#!/usr/bin/env python3
"""Records what PyTorch does with operands of all ranks, leaves, losses and casts across devices:

    record_shapes.py DIRECTORY [NAME...]

writes DIRECTORY/NAME.tsv.gz for each of shapes, lossvalues, castacross. It needs PyTorch and a CUDA GPU; testing
needs only the rows. rows/README.md describes their form, shaped.def what each name does.
"""

import gzip
import itertools
import os
import re
import sys
import warnings

import torch
import torch.nn.functional as F

import record
from record import DTYPES, NAMES

KINDS = (
    ("device", r"too many CPU scalars|CPU Scalar support for self"),
    ("grad", r"automatic differentiation"),
    ("value", r"negative integer powers|all elements of (input|target)"),
    (
        "shape",
        r"shape|\bsizes?\b|[dD]imension|dim\(|\b\d-?D\b|matri|subscripts|elements not|batch_size|0-dim tensor"
        r"|Index to scalar|1 or 2 dim|must match|vector \+|broadcast|inconsistent tensor|Index is supposed to be"
        r"|index should have one element",
    ),
)
# What depends more on the Python binding, or on PyTorch's internals, than on the op.
LEFT_OUT = r"must be Tensor, not|INTERNAL ASSERT"


def error_kind(error):
    kind = record.error_kind(error)
    for name, pattern in KINDS if kind == "dtype" else ():
        if re.search(pattern, str(error)):
            return name
    return kind


# ---- operands ---------------------------------------------------------------------------------


def make(spec):
    dtype, dims, cuda, leaf, view = re.match(r"(\w+)\[([\dx]*)\](@cuda)?(!)?(v)?$", spec).groups()
    shape = [int(size) for size in dims.split("x")] if dims else []
    x = torch.ones(shape).to(DTYPES[dtype]).to("cuda" if cuda else "cpu")
    if leaf:
        x.requires_grad_(True)
    return x.view(x.shape) if view else x


def describe(x):
    dims = "x".join(map(str, x.shape))
    return f"{NAMES[x.dtype]}[{dims}]" + ("@cuda" if x.is_cuda else "")


def specs(shapes, dtypes, devices=("", "@cuda")):
    return [f"{d}[{s}]{v}" for s in shapes for d in dtypes for v in devices]


def ask(op, operands, call):
    """The row, or nothing where it would say nothing about the op."""
    try:
        yield op, "shapes", ",".join(operands), describe(call(*map(make, operands)))
    except Exception as error:  # whatever PyTorch raises is what we are here for
        if not re.search(LEFT_OUT, str(error)):
            yield op, "shapes", ",".join(operands), "error:" + error_kind(error)


# ---- matrix products ----------------------------------------------------------------------------

TWO = {
    "mm": (torch.mm, ["4x4", "4", "", "1x4x4", "3x4"], ["4x4", "4", "", "1x4x4", "3x4"]),
    "mv": (torch.mv, ["4x4", "4", "", "1x4x4", "4x3"], ["4", "4x4", "", "3"]),
    "dot": (torch.dot, ["4", "", "4x4", "3"], ["4", "", "4x4"]),
    "outer": (torch.outer, ["4", "", "4x4", "3"], ["4", "", "4x4"]),
    "matmul": (
        torch.matmul,
        ["4x4", "4", "", "1x4x4", "3", "4x3", "2x4x4"],
        ["4x4", "4", "", "1x4x4", "3", "3x4", "3x4x4"],
    ),
    "bmm": (torch.bmm, ["1x4x4", "4x4", "", "1x4x3", "2x4x4"], ["1x4x4", "4x4", "", "2x4x4"]),
    "linear": (F.linear, ["4x4", "4", "", "2x4x4", "3"], ["4x4", "4", "", "1x4x4", "3", "4x3"]),
    "einsum_mm": (lambda a, b: torch.einsum("ij,jk->ik", a, b), ["4x4", "4", "3x3"], ["4x4", "4"]),
}
THREE = {
    "addmm": (torch.addmm, ["4x4", "4", "", "3", "1x4x4", "4x3"], ["4x4", "4", "3x4", "4x3"], ["4x4", "4", "4x3"]),
    "addmm_": (
        lambda i, a, b: i.addmm_(a, b),
        ["4x4", "4", "", "3", "1x4x4", "4x3"],
        ["4x4", "4", "3x4", "4x3"],
        ["4x4", "4"],
    ),
    "baddbmm": (torch.baddbmm, ["1x4x4", "4", "", "3", "2x4x4"], ["1x4x4", "4x4", "1x4x3"], ["1x4x4", "4x4", "2x4x4"]),
    "baddbmm_": (
        lambda i, a, b: i.baddbmm_(a, b),
        ["1x4x4", "4", "", "2x4x4"],
        ["1x4x4", "4x4", "1x4x3"],
        ["1x4x4", "4x4"],
    ),
    "linear_bias": (
        F.linear,
        ["4x4", "4", "", "2x4x4"],
        ["4x4", "4", "3", "", "1x4x4"],
        ["4", "", "3", "4x4", "1"],
    ),
}
ONE_ELSEWHERE = [("", "", ""), ("@cuda",) * 3, ("@cuda", "", ""), ("", "@cuda", ""), ("", "", "@cuda")]


def products():
    dtypes = "f32 f16 i16 bool".split()
    for op, (call, left, right) in TWO.items():
        for a, b in itertools.product(specs(left, dtypes), specs(right, dtypes)):
            yield from ask(op, (a, b), call)
        for device, a, b in itertools.product(("", "@cuda"), left, right):
            yield from ask(op, (f"f8e4m3[{a}]{device}", f"f8e4m3[{b}]{device}"), call)
    for op, (call, *shapes) in THREE.items():
        for dims in itertools.product(*shapes):
            for types in itertools.product(("f32", "i16"), repeat=3):
                for devices in ONE_ELSEWHERE:
                    yield from ask(op, tuple(f"{t}[{s}]{v}" for t, s, v in zip(types, dims, devices)), call)
            for dtype, device in itertools.product(("bool", "f16", "f8e4m3"), ("", "@cuda")):
                yield from ask(op, tuple(f"{dtype}[{s}]{device}" for s in dims), call)


# ---- losses, indexing -----------------------------------------------------------------------------

LOSSES = {
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "huber_loss": F.huber_loss,
    "kl_div": F.kl_div,
    "bce": F.binary_cross_entropy,
    "bce_logits": F.binary_cross_entropy_with_logits,
}


def losses():
    inputs = specs(["4", "", "3", "1"], ["f32", "f16", "bf16", "f64", "i64", "bool"])
    targets = specs(["4", "", "2x4"], ["f32", "f16", "f64", "i64", "bool"])
    for (op, call), a, b in itertools.product(LOSSES.items(), inputs, targets):
        yield from ask(op, (a, b), call)
        if "64" not in a:
            yield from ask(op + ":none", (a, b), lambda x, y: call(x, y, reduction="none"))
    for op, call in (("cross_entropy", F.cross_entropy), ("nll_loss", F.nll_loss)):
        for a in specs(["2x3", "3", "", "2x3x2"], ["f32", "f16", "i64"]):
            for b in specs(["2", "", "2x3", "4", "2x2"], ["i64", "u8", "i32", "f32", "f64"]):
                yield from ask(op, (a, b), call)


def four(x):
    return torch.ones(4, dtype=x.dtype, device=x.device)


INDEXED = {
    "gather": lambda x, i: torch.gather(x, 0, i),
    "index_select": lambda x, i: torch.index_select(x, 0, i),
    "index_add_": lambda x, i: x.index_add_(0, i, four(x)),
    "index_copy_": lambda x, i: x.index_copy_(0, i, four(x)),
    "scatter_": lambda x, i: x.scatter_(0, i, four(x)),
    "scatter_add_": lambda x, i: x.scatter_add_(0, i, four(x)),
    "index": lambda x, i: x[i],
    "index_put_": lambda x, i: x.index_put_((i,), torch.ones((), dtype=x.dtype, device=x.device)),
    "embedding": lambda x, i: F.embedding(i, x.view(4, 1) if x.dim() == 1 else x),
}


def zeros_as(x):
    return torch.zeros(x.shape, device=x.device).to(x.dtype)


def indexing():
    for op, call in INDEXED.items():
        for x in specs(["4", "4x4", ""], ["f32", "f16", "i64"]):
            for i in specs(["4", "1x4", "", "3"], ["u8", "bool", "i32", "i64", "i16", "f32"]):
                if op != "index" or "[]" not in i:  # Python makes a number of that
                    yield from ask(op, (x, i), lambda x, i: call(x, zeros_as(i)))


# ---- in place on leaves -----------------------------------------------------------------------------

UNARY = """abs_ ceil_ cos_ erf_ exp_ floor_ log_ neg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sqrt_ square_
    tanh_ trunc_ zero_ bitwise_not_ logical_not_ random_ normal_ uniform_""".split()
BINARY = """add_ sub_ mul_ div_ pow_ floor_divide_ fmod_ remainder_ atan2_ bitwise_and_ bitwise_or_ bitwise_xor_ eq_
    ne_ lt_ le_ gt_ ge_ logical_and_ logical_or_ logical_xor_ fill_""".split()
WITH_OTHER = {
    "copy_": lambda x, y: x.copy_(y),
    "clamp_": lambda x, y: x.clamp_(y),
    "masked_fill_": lambda x, y: x.masked_fill_(y, 1),
    "masked_fill__value": lambda x, y: x.masked_fill_(torch.ones(x.shape, dtype=torch.bool), y),
    "lerp_": lambda x, y: x.lerp_(y, 0.5),
    "addcmul_": lambda x, y: x.addcmul_(y, y),
    "addcdiv_": lambda x, y: x.addcdiv_(y, y),
    "addmm_:self": lambda x, y: x.addmm_(y, y),
    "baddbmm_:self": lambda x, y: x.baddbmm_(y, y),
    "index_add_src": lambda x, y: x.index_add_(0, torch.zeros(4, dtype=torch.int64), y),
    "index_copy_src": lambda x, y: x.index_copy_(0, torch.arange(4), y),
    "scatter_src": lambda x, y: x.scatter_(0, torch.arange(4), y),
    "scatter_add_src": lambda x, y: x.scatter_add_(0, torch.arange(4), y),
    "index_put_src": lambda x, y: x.index_put_((torch.arange(4),), y),
    "index_add_index": lambda x, y: x.index_add_(0, zeros_as(y), torch.ones(4)),
    "index_copy_index": lambda x, y: x.index_copy_(0, zeros_as(y), torch.ones(4)),
    "scatter_index": lambda x, y: x.scatter_(0, zeros_as(y), torch.ones(4)),
    "scatter_add_index": lambda x, y: x.scatter_add_(0, zeros_as(y), torch.ones(4)),
    "index_put_index": lambda x, y: x.index_put_((zeros_as(y),), torch.ones(())),
    "out_add": lambda x, y: torch.add(y, y, out=x),
    "out_mul": lambda x, y: torch.mul(y, y, out=x),
    "out_mm": lambda x, y: torch.mm(y, y, out=x),
}
OTHERS = """f32[4] f32[2] f32[] f64[4] i64[4] bool[4] f32[2x4] f8e4m3[4] f32[4]@cuda f32[]@cuda bool[4]@cuda""".split()


def leaves():
    for op, dtype, dims, leaf in itertools.product(UNARY, ("f32", "f64", "f16", "f8e4m3"), ("4", ""), ("!", "!v")):
        yield from ask(op, (f"{dtype}[{dims}]{leaf}",), lambda x: getattr(x, op)())
    calls = dict(WITH_OTHER)
    for op in BINARY:
        calls[op] = lambda x, y, op=op: getattr(x, op)(y)
    for op, call in calls.items():
        for a, b in itertools.product(("f32[4]!", "f32[]!", "f16[4]!", "f32[4]!v", "f32[4]", "f32[4]@cuda!"), OTHERS):
            if op not in ("out_add", "out_mul") or "[4]" in b:  # PyTorch gives out= another shape
                yield from ask(op, (a, b), call)
    for op, number in itertools.product(BINARY, (2, 2.5, True)):
        for a in ("f32[4]!", "f32[4]!v", "i64[4]", "f8e4m3[4]!"):
            yield from ask(f"{op}:{type(number).__name__}", (a,), lambda x: getattr(x, op)(number))


def shapes():
    yield from products()
    yield from losses()
    yield from leaves()
    yield from indexing()


# ---- losses as numbers --------------------------------------------------------------------------------

INPUTS = [0.3, -1.7, 2.6, 0.9, -0.11, 0.77, 1.31]
TARGETS = [0.8, 0.13, 0.57, 0.29, 0.61, 0.02, 0.97]


def numbers(x):
    return describe(x) + "=" + " ".join(repr(v) for v in x.detach().double().flatten().tolist())


def loss_operand(values, dtype, zero_dim, device):
    x = torch.tensor(values[0] if zero_dim else values, dtype=torch.float64)
    return x.to(DTYPES[dtype]).to(device).requires_grad_(True)


def loss_rows(op, call, args, a, b, reduction):
    try:
        loss = call(a, b, reduction=reduction)
        yield f"{op}:{reduction}", "values", args, numbers(loss)
        loss.double().sum().backward()
    except Exception as error:
        if a.grad is None and "loss" not in locals():
            yield f"{op}:{reduction}", "values", args, "error:" + error_kind(error)
        return
    for name, x in (("a", a), ("b", b)):
        yield f"{op}:{reduction}:grad_{name}", "values", args, numbers(x.grad)


def lossvalues():
    floats = "f16 bf16 f32 f64".split()
    for device, (op, call) in itertools.product(("cpu", "cuda"), LOSSES.items()):
        at = "@cuda" if device == "cuda" else ""
        inputs = torch.sigmoid(torch.tensor(INPUTS, dtype=torch.float64)).tolist() if op == "bce" else INPUTS
        for da, db, za, zb in itertools.product(floats, floats, (False, True), (False, True)):
            args = f"{da}[{'' if za else 7}]{at},{db}[{'' if zb else 7}]{at}"
            for reduction in ("none", "sum", "mean"):
                a, b = loss_operand(inputs, da, za, device), loss_operand(TARGETS, db, zb, device)
                yield from loss_rows(op, call, args, a, b, reduction)


# ---- casts across devices -------------------------------------------------------------------------------

CAST = [0.0, 1.5, -1.5, 127.0, 128.0, 200.0, 255.0, 256.0, 300.0, -1.0, -128.0, -129.0, -200.0, -300.0, 32767.0]
CAST += [32768.0, 40000.0, 65504.0, 70000.0, -40000.0, 2147483520.0, 2147483648.0, 3e9, -3e9, 4294967296.0, 5e9]
CAST += [9.2e18, 9.3e18, 1e19, 1.9e19, -1e19, 1e10, 1e30, -1e30, float("inf"), float("-inf"), float("nan")]
BITS = {2: torch.int16, 4: torch.int32, 8: torch.int64}


def castacross():
    for source, to in itertools.product("f16 bf16 f32 f64".split(), "u8 i8 i16 i32 i64 bool".split()):
        here = torch.tensor(CAST, dtype=torch.float64).to(DTYPES[source])
        there = here.cuda()
        results = {
            "cpu": here.to(DTYPES[to]),
            "cuda": there.to(DTYPES[to]),
            "cpu>cuda": here.to("cuda", DTYPES[to]),
            "cuda>cpu": there.to("cpu", DTYPES[to]),
        }
        bits = here.view(BITS[here.element_size()]).tolist()
        for mode, result in results.items():
            seen = dict(zip(bits, result.cpu().to(torch.int64).tolist()))
            for x, y in seen.items():
                yield "to", mode, f"{source}:{x},{to}", str(y)


def main():
    warnings.simplefilter("ignore")
    directory, names = sys.argv[1], sys.argv[2:] or ["shapes", "lossvalues", "castacross"]
    for name in names:
        with gzip.GzipFile(os.path.join(directory, name + ".tsv.gz"), "wb", mtime=0) as file:
            for row in globals()[name]():
                file.write(("\t".join(row) + "\n").encode())


if __name__ == "__main__":
    main()
