#!/usr/bin/env python3
"""Records what PyTorch does into files of rows, as described in rows/README.md.

    record.py DIRECTORY [NAME...]

writes DIRECTORY/NAME.tsv.gz for each name given, or for all of promote, elementwise, ops, device,
autocast, autocastwide, grad, creation, default, castbits, opbits. It needs PyTorch, NumPy and a CUDA
GPU. It is only needed to record another version of PyTorch; building and testing need only the rows
that are here.
"""

import gzip
import itertools
import os
import random
import re
import sys
import warnings

import numpy as np
import torch
import torch.nn.functional as F

DTYPES = {
    "bool": torch.bool,
    "u8": torch.uint8,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "f16": torch.float16,
    "bf16": torch.bfloat16,
    "f32": torch.float32,
    "f64": torch.float64,
    "f8e4m3": torch.float8_e4m3fn,
    "f8e5m2": torch.float8_e5m2,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
NUMBERS = {"int": 2, "float": 2.5, "bool": True}
DEVICES = ("", "@cuda")
WITH_0D = [name + zero_dim for name in DTYPES for zero_dim in ("", ".0d")]

# ---- words for what happened ------------------------------------------------------------------

# What an error's message says about its kind; the first that is found counts.
KINDS = (
    ("cast", r"can't be cast"),
    ("overflow", r"without overflow"),
    ("device", r"same device|two devices|device type tensor to numpy|arguments from the '\w+' backend"),
    ("leaf", r"leaf Variable that requires grad"),
    ("version", r"modified by an inplace operation"),
    ("autocast", r"unsafe to autocast"),
    ("unscale", r"unscale FP16|non_finite_check_and_unscale"),
    ("grad", r"can require gradients|does not require grad"),
    ("shape", r"shape of the mask"),
)


def error_kind(error):
    for kind, pattern in KINDS:
        if re.search(pattern, str(error)):
            return kind
    return "dtype"


def describe(result):
    if isinstance(result, torch.Tensor):
        zero_dim = ".0d" if result.dim() == 0 else ""
        return NAMES[result.dtype] + zero_dim + ("@cuda" if result.is_cuda else "")
    if isinstance(result, (tuple, list)):
        return "(" + ",".join(describe(part) for part in result) + ")"
    if isinstance(result, torch.dtype):
        return NAMES[result]
    return "py:" + type(result).__name__


def outcome(call, words=describe):
    try:
        return words(call())
    except Exception as error:  # whatever PyTorch raises is what we are here for
        return "error:" + error_kind(error)


# ---- operands -----------------------------------------------------------------------------------


def operand(spec, shape=(3,)):
    """The tensor of ones, or the number, that the text stands for."""
    if spec.startswith("scalar:"):
        return NUMBERS[spec.removeprefix("scalar:")]
    device = "cuda" if spec.endswith("@cuda") else "cpu"
    spec = spec.removesuffix("@cuda")
    shape = () if spec.endswith(".0d") else shape
    return torch.ones(shape).to(DTYPES[spec.removesuffix(".0d")]).to(device)


def zeros_as(t):
    return torch.zeros(t.shape, device=t.device).to(t.dtype)


def indices(shape, like):
    return torch.zeros(shape, dtype=torch.int64, device=like.device)


def all_true(like):
    return torch.ones(like.shape, dtype=torch.bool, device=like.device)


# ---- elementwise --------------------------------------------------------------------------------

UNARY = """abs acos asin atan bitwise_not ceil clone contiguous cos cosh detach elu empty_like erf
    erfc exp exp2 expm1 floor frac gelu hardswish hardtanh isfinite isinf isnan leaky_relu log log10
    log1p log2 logical_not logit logsigmoid mish neg ones_like positive rand_like randn_like
    reciprocal relu relu6 round rsqrt selu sigmoid sign silu sin sinh softplus sqrt square tan tanh
    trunc zeros_like abs_ bitwise_not_ erf_ exp_ floor_ log_ logical_not_ neg_ normal_ random_
    reciprocal_ relu_ round_ rsqrt_ sigmoid_ sin_ sqrt_ square_ tanh_ uniform_ zero_""".split()

UNARY_CALLS = {
    "clamp_int": lambda x: x.clamp(0, 1),
    "clamp_float": lambda x: x.clamp(0.0, 1.0),
    "masked_fill_neg1e9": lambda x: x.masked_fill(all_true(x), -1e9),
    "masked_fill_1": lambda x: x.masked_fill(all_true(x), 1),
    "fill_1_5": lambda x: x.fill_(1.5),
    "full_like_1_5": lambda x: torch.full_like(x, 1.5),
    "dropout": lambda x: F.dropout(x, 0.5, True),
    "softmax": lambda x: F.softmax(x, -1),
    "log_softmax": lambda x: F.log_softmax(x, -1),
}

BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor div
    eq floor_divide fmod ge gt le logical_and logical_or logical_xor lt maximum minimum mul ne pow
    remainder sub add_ atan2_ bitwise_and_ bitwise_or_ copy_ div_ eq_ floor_divide_ fmod_
    logical_and_ lt_ mul_ pow_ remainder_ sub_""".split()

# These have no form with a number.
TENSORS_ONLY = """atan2 bitwise_left_shift bitwise_right_shift logical_and logical_or logical_xor
    maximum minimum atan2_ copy_ logical_and_""".split()


def unary_call(op):
    if op in UNARY_CALLS:
        return UNARY_CALLS[op]
    if op.endswith("_"):
        return lambda x: getattr(x, op)()
    activations = "elu gelu hardswish hardtanh leaky_relu logsigmoid mish relu6 selu silu softplus"
    if op in activations.split():
        return getattr(F, op)
    return getattr(torch, op, None) or (lambda x: getattr(x, op)())


def binary_call(op):
    if op == "rsub":
        return lambda a, b: b - a
    if op.endswith("_"):
        return lambda a, b: getattr(a, op)(b)
    return getattr(torch, op)


def elementwise():
    for device in DEVICES:
        for op in UNARY + list(UNARY_CALLS):
            for a in WITH_0D:
                yield op, "plain", a + device, outcome(lambda: unary_call(op)(operand(a + device)))
        for op in BINARY + ["rsub"]:
            tensors = [] if op == "rsub" else [b + device for b in WITH_0D]
            numbers = [] if op in TENSORS_ONLY else ["scalar:" + n for n in NUMBERS]
            for a, b in itertools.product(WITH_0D, tensors + numbers):
                yield pair_row(op, a + device, b, (3,), (3,), binary_call(op))


def pair_row(op, a, b, shape_a, shape_b, call):
    result = outcome(lambda: call(operand(a, shape_a), operand(b, shape_b)))
    return op, "plain", a + "," + b, result


# ---- everything else ----------------------------------------------------------------------------


def setitem(a, b):
    a[0:2] = b
    return a


def conv2d_bias(a, b):
    return F.conv2d(a, torch.ones((2, 2, 1, 1), device=a.device).to(a.dtype), b)


def inverse(x):
    return torch.inverse(x + torch.eye(2, dtype=x.dtype, device=x.device))


ONE = {
    (3,): {
        "sum": lambda x: x.sum(),
        "mean": lambda x: x.mean(),
        "prod": lambda x: x.prod(),
        "min": lambda x: x.min(),
        "max": lambda x: x.max(),
        "amax": lambda x: x.amax(),
        "all": lambda x: x.all(),
        "any": lambda x: x.any(),
        "argmax": lambda x: x.argmax(),
        "argmin": lambda x: x.argmin(),
        "std": lambda x: x.std(),
        "var": lambda x: x.var(),
        "median": lambda x: x.median(),
        "norm": lambda x: x.norm(),
        "count_nonzero": lambda x: x.count_nonzero(),
        "nonzero": lambda x: x.nonzero(),
        "sum_f16": lambda x: x.sum(dtype=torch.float16),
        "sum_f32": lambda x: x.sum(dtype=torch.float32),
        "sum_i64": lambda x: x.sum(dtype=torch.int64),
        "mean_f32": lambda x: x.mean(dtype=torch.float32),
        "softmax_f32": lambda x: F.softmax(x, -1, dtype=torch.float32),
        "cumsum": lambda x: x.cumsum(0),
        "cumprod": lambda x: x.cumprod(0),
        "logsumexp": lambda x: x.logsumexp(0),
        "sort": lambda x: x.sort()[0],
        "topk": lambda x: x.topk(1)[0],
        "item": lambda x: x[0].item(),
        "tolist": lambda x: x.tolist(),
        "numpy": lambda x: x.numpy(),
    },
    (1, 1, 2, 2): {
        "adaptive_avg_pool2d": lambda x: F.adaptive_avg_pool2d(x, 1),
        "avg_pool2d": lambda x: F.avg_pool2d(x, 2),
        "max_pool2d": lambda x: F.max_pool2d(x, 2),
        "interpolate": lambda x: F.interpolate(x, scale_factor=2),
    },
    (2, 2): {
        "embedding_bag": lambda x: F.embedding_bag(indices((1, 1), x), x),
        "layer_norm": lambda x: F.layer_norm(x, (2,)),
        "rms_norm": lambda x: F.rms_norm(x, (2,)),
        "one_hot": lambda x: F.one_hot(x, 2),
        "pad": lambda x: F.pad(x, (1, 1)),
        "inverse": inverse,
        "cholesky": torch.linalg.cholesky,
        "svd": lambda x: torch.linalg.svd(x)[1],
        "half": lambda x: x.half(),
        "float": lambda x: x.float(),
        "double": lambda x: x.double(),
        "long": lambda x: x.long(),
        "int": lambda x: x.int(),
        "bfloat16": lambda x: x.bfloat16(),
        "byte": lambda x: x.byte(),
        "to_bool": lambda x: x.bool(),
        "requires_grad_": lambda x: x.requires_grad_(True),
        "transpose": lambda x: x.t(),
        "reshape": lambda x: x.reshape(4),
        "view": lambda x: x.view(4),
        "tril": lambda x: x.tril(),
        "mm_inplace_style_addmm_": lambda x: x.addmm_(x, x),
    },
}

PAIRS = {
    ((2, 2), (2, 2)): {
        "mm": torch.mm,
        "matmul": torch.matmul,
        "einsum": lambda a, b: torch.einsum("ij,jk->ik", a, b),
        "linear": F.linear,
        "addmm_self": lambda a, b: torch.addmm(a, b, b),
        "out_mm": lambda a, b: torch.mm(b, b, out=a),
        "cosine_similarity": F.cosine_similarity,
        "cross_entropy_prob": F.cross_entropy,
    },
    ((1, 2, 2), (1, 2, 2)): {
        "bmm": torch.bmm,
        "baddbmm_self": lambda a, b: torch.baddbmm(a, b, b),
    },
    ((2, 2), (2,)): {
        "mv": torch.mv,
        "linear_bias": lambda a, b: F.linear(a, a, b),
        "layer_norm_w": lambda a, b: F.layer_norm(a, (2,), b, b),
        "rms_norm_w": lambda a, b: F.rms_norm(a, (2,), b),
        "batch_norm_stats": lambda a, b: F.batch_norm(a, b, b),
    },
    ((1, 2, 2), (2,)): {"group_norm_w": lambda a, b: F.group_norm(a, 1, b, b)},
    ((1, 2, 4), (2, 2, 1)): {"conv1d": F.conv1d},
    ((1, 2, 4, 4), (2, 2, 1, 1)): {"conv2d": F.conv2d},
    ((1, 2, 4, 4), (2,)): {"conv2d_bias": conv2d_bias},
    ((1, 1, 2, 2), (1, 1, 2, 2)): {
        "sdpa_qk": lambda a, b: F.scaled_dot_product_attention(a, b, b)
    },
    ((1, 1, 2, 2), (2, 2)): {
        "sdpa_mask": lambda a, b: F.scaled_dot_product_attention(a, a, a, attn_mask=b)
    },
    ((3,), (3,)): {
        "dot": torch.dot,
        "outer": torch.outer,
        "cat": lambda a, b: torch.cat([a, b]),
        "stack": lambda a, b: torch.stack([a, b]),
        "where": lambda a, b: torch.where(all_true(a), a, b),
        "lerp": lambda a, b: torch.lerp(a, b, 0.5),
        "addcmul": lambda a, b: torch.addcmul(a, b, b),
        "type_as": lambda a, b: a.type_as(b),
        "one_hot_like": lambda a, b: a.to(b.dtype),
        "out_add": lambda a, b: torch.add(b, b, out=a),
        "masked_fill_mask": lambda a, b: a.masked_fill(b, 0),
        "masked_select": torch.masked_select,
        "scatter_add_src": lambda a, b: a.scatter_add_(0, indices(3, a), b),
        "searchsorted": torch.searchsorted,
        "bucketize": torch.bucketize,
        "mse_loss": F.mse_loss,
        "l1_loss": F.l1_loss,
        "smooth_l1_loss": F.smooth_l1_loss,
        "huber_loss": F.huber_loss,
        "kl_div": F.kl_div,
        "bce": F.binary_cross_entropy,
        "bce_logits": F.binary_cross_entropy_with_logits,
        "allclose": torch.allclose,
        "isclose": torch.isclose,
        "equal": torch.equal,
    },
    ((3,), (2,)): {
        "setitem": setitem,
        "index": lambda a, b: a[b],
        "index_select": lambda a, b: torch.index_select(a, 0, zeros_as(b)),
        "gather": lambda a, b: torch.gather(a, 0, zeros_as(b)),
        "index_put_val": lambda a, b: a.index_put_((indices(2, a),), b),
        "index_add_src": lambda a, b: a.index_add_(0, indices(2, a), b),
    },
    ((2,), (3, 2)): {"embedding": F.embedding},
    ((3,), (1,)): {"prelu": F.prelu},
    ((2, 3), (2,)): {"cross_entropy_cls": F.cross_entropy, "nll_loss": F.nll_loss},
}


def pairs():
    for (shape_a, shape_b), calls in PAIRS.items():
        for op, call in calls.items():
            yield op, shape_a, shape_b, call


def ops():
    for device in DEVICES:
        for shape, calls in ONE.items():
            for op, call in calls.items():
                for a in DTYPES:
                    result = outcome(lambda: call(operand(a + device, shape)))
                    yield op, "plain", a + device, result
        for op, shape_a, shape_b, call in pairs():
            for a, b in itertools.product(DTYPES, DTYPES):
                yield pair_row(op, a + device, b + device, shape_a, shape_b, call)


# ---- operands on two devices --------------------------------------------------------------------

MIXED_BINARY = "add add_ atan2 copy_ div div_ eq logical_and lt maximum mul mul_ pow".split()
MIXED_DTYPES = "f32 f16 i64 bool".split()


def device():
    cases = [(op, (3,), (3,), binary_call(op), ("", ".0d")) for op in MIXED_BINARY]
    cases += [(*case, ("",)) for case in pairs()]
    for op, shape_a, shape_b, call, dims in sorted(cases, key=lambda case: case[0]):
        specs = [name + dim for name in MIXED_DTYPES for dim in dims]
        for a, b in itertools.product(specs, specs):
            yield pair_row(op, a, b + "@cuda", shape_a, shape_b, call)
            yield pair_row(op, a + "@cuda", b, shape_a, shape_b, call)


# ---- dtypes alone, and making tensors -----------------------------------------------------------


def promote():
    for a, b in itertools.product(DTYPES, DTYPES):
        types = DTYPES[a], DTYPES[b]
        yield "promote_types", "plain", f"{a},{b}", outcome(lambda: torch.promote_types(*types))
        can = outcome(lambda: torch.can_cast(*types), words=lambda result: str(result).lower())
        yield "can_cast", "plain", f"{a},{b}", can
    for a, b in itertools.product(WITH_0D, WITH_0D + ["scalar:" + n for n in NUMBERS]):
        yield pair_row("result_type", a, b, (3,), (3,), torch.result_type)


MAKE = {
    "zeros": lambda: torch.zeros(3),
    "ones": lambda: torch.ones(3),
    "empty": lambda: torch.empty(3),
    "rand": lambda: torch.rand(3),
    "randn": lambda: torch.randn(3),
    "randint": lambda: torch.randint(0, 3, (3,)),
    "arange_int": lambda: torch.arange(3),
    "arange_float": lambda: torch.arange(3.0),
    "arange_mixed": lambda: torch.arange(0, 1, 0.5),
    "full_int": lambda: torch.full((3,), 2),
    "full_float": lambda: torch.full((3,), 2.5),
    "full_bool": lambda: torch.full((3,), True),
    "tensor_float": lambda: torch.tensor([1.5]),
    "tensor_int": lambda: torch.tensor([1]),
    "tensor_bool": lambda: torch.tensor([True]),
    "tensor_mixed": lambda: torch.tensor([1, 2.5]),
    "from_np_f32": lambda: torch.from_numpy(np.ones(3, np.float32)),
    "from_np_f64": lambda: torch.from_numpy(np.ones(3)),
    "from_np_i32": lambda: torch.from_numpy(np.ones(3, np.int32)),
    "from_np_i64": lambda: torch.from_numpy(np.ones(3, np.int64)),
    "tensor_np_f64": lambda: torch.tensor(np.ones(3)),
    "linspace": lambda: torch.linspace(0, 1, 3),
    "logspace": lambda: torch.logspace(0, 1, 3),
    "eye": lambda: torch.eye(3),
    "randperm": lambda: torch.randperm(3),
    "bernoulli": lambda: torch.bernoulli(torch.ones(3)),
    "multinomial": lambda: torch.multinomial(torch.ones(3), 1),
    "tril_indices": lambda: torch.tril_indices(2, 2),
    "triu_indices": lambda: torch.triu_indices(2, 2),
    "hann": lambda: torch.hann_window(3),
}

MAKE_AS = {
    "zeros": lambda d: torch.zeros(3, dtype=d),
    "ones": lambda d: torch.ones(3, dtype=d),
    "empty": lambda d: torch.empty(3, dtype=d),
    "rand": lambda d: torch.rand(3, dtype=d),
    "randn": lambda d: torch.randn(3, dtype=d),
    "randint": lambda d: torch.randint(0, 2, (3,), dtype=d),
    "arange": lambda d: torch.arange(3, dtype=d),
    "linspace": lambda d: torch.linspace(0, 1, 3, dtype=d),
    "eye": lambda d: torch.eye(3, dtype=d),
    "full": lambda d: torch.full((3,), 1, dtype=d),
    "randperm": lambda d: torch.randperm(3, dtype=d),
    "hann": lambda d: torch.hann_window(3, dtype=d),
    "logspace": lambda d: torch.logspace(0, 1, 3, dtype=d),
    "tril_indices": lambda d: torch.tril_indices(2, 2, dtype=d),
}


def creation():
    for op, call in MAKE.items():
        yield op, "plain", "", outcome(call)
    for name, dtype in DTYPES.items():
        for op, call in MAKE_AS.items():
            yield op, "plain", "dtype:" + name, outcome(lambda: call(dtype))


# ---- default dtype ------------------------------------------------------------------------------


def set_default(dtype):
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(dtype)
        return torch.get_default_dtype()
    finally:
        torch.set_default_dtype(before)


# Lists of Python's floats, which C does not have, and numbers on the host.
OTHERS = ("tensor_float", "tensor_mixed", "item", "tolist")


def plain_rows():
    """The calls whose outcome may depend on the default dtype."""
    for op, call in MAKE.items():
        if op not in OTHERS:
            yield op, "plain", "", outcome(call)
    yield from promote()
    yield from elementwise()
    yield from (row for row in ops() if row[0] not in OTHERS)


def default():
    for name, dtype in DTYPES.items():
        yield "set_default_dtype", "plain", "dtype:" + name, outcome(lambda: set_default(dtype))
    plain = list(plain_rows())
    for name in ("f16", "bf16", "f64"):
        torch.set_default_dtype(DTYPES[name])
        rows = list(plain_rows())
        torch.set_default_dtype(torch.float32)
        for n, (before, row) in enumerate(zip(plain, rows)):
            op, _, args, result = row
            if result != before[3] or n % 16 == 0:
                yield op, "default:" + name, args, result


# ---- bit for bit --------------------------------------------------------------------------------

INTS = ("u8", "i8", "i16", "i32", "i64")
FLOATS = ("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2")
# The signed integer as wide as a floating dtype.
BITS = {
    "f8e4m3": torch.int8,
    "f8e5m2": torch.int8,
    "f16": torch.int16,
    "bf16": torch.int16,
    "f32": torch.int32,
    "f64": torch.int64,
}

# Values around which conversions change what they do: largest and smallest numbers of each dtype,
# halfway cases, the first integers that a dtype cannot hold.
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, 1 / 3, -1 / 3, 0.1]
EDGES += [65504.0, 65519.0, 65520.0, 65535.0, 65536.0, -65520.0]
EDGES += [448.0, 449.0, 463.9, 464.0, 464.1, 480.0, 500.0]
EDGES += [57344.0, 57345.0, 61439.0, 61440.0, 61441.0]
EDGES += [1e-8, 6e-8, 5.96e-8, 2.98e-8, 2.9802322e-8, 3e-8, 1e-4, 6.1e-5]
EDGES += [0.0009765625, 0.001953125, 0.00146, 1e-45, 1.4e-45, 1e-38, 1.1754942e-38]
EDGES += [3.4e38, 3.4028235e38, 3.4028236e38, 1e39, -1e39, 1e300, 1e-300, 5e-324]
EDGES += [float("inf"), -float("inf"), float("nan"), -float("nan")]
EDGES += [2049.0, 2051.0, 4097.0, 16777217.0, 16777219.0]
EDGES += [255.0, 256.0, 127.0, 128.0, -128.0, -129.0, 32767.0, 32768.0]
INT_EDGES = [449, 464, 465, 480, 2049, 2051, 4097, 65519, 65520, 65521, 16777217, 16777219]
INT_EDGES += [257, 259, 61440, 61441]


def bits_of(t, name):
    return t.cpu().view(BITS[name]).tolist() if name in BITS else t.cpu().to(torch.int64).tolist()


def random_bits(name, count):
    info = torch.iinfo(BITS[name])
    bits = [random.randrange(info.min, info.max + 1) for _ in range(count)]
    return torch.tensor(bits, dtype=BITS[name]).view(DTYPES[name])


def floats(name):
    """Values of a floating dtype that are worth casting."""
    if name.startswith("f8"):
        return torch.arange(-128, 128, dtype=torch.int8).view(DTYPES[name])
    spread = torch.randn(200, dtype=torch.float64)
    parts = [torch.tensor(EDGES, dtype=torch.float64), spread, spread * 1e-5, spread * 1e4]
    return torch.cat([part.to(DTYPES[name]) for part in parts] + [random_bits(name, 200)])


def integers(name):
    info = torch.iinfo(DTYPES[name])
    values = [0, 1, 2, info.max, info.min, info.max - 1, 100, 101]
    values += [random.randrange(info.min, info.max + 1) for _ in range(60)]
    return torch.tensor(values + [v for v in INT_EDGES if v <= info.max], dtype=DTYPES[name])


def castbits():
    for where in ("cpu", "cuda"):
        for name in FLOATS + INTS:
            values = floats(name) if name in FLOATS else integers(name)
            # What a float that does not fit an integer becomes is up to the processor.
            targets = [t for t in DTYPES if not (name in FLOATS and t in INTS)]
            for target in targets:
                results = values.to(where).to(DTYPES[target])
                for a, r in zip(bits_of(values, name), bits_of(results, target)):
                    yield "to", where, f"{name}:{a},{target}", str(r)


BITS_BINARY = "add sub mul div maximum".split()
BITS_UNARY = {
    "neg": torch.neg,
    "reciprocal": torch.reciprocal,
    "relu": torch.relu,
    "sqrt_abs": lambda x: torch.sqrt(torch.abs(x)),
    "square": torch.square,
}


def opbits():
    calls = {op: getattr(torch, op) for op in BITS_BINARY}
    calls.update({op: lambda a, b, call=call: call(a) for op, call in BITS_UNARY.items()})
    for where in ("cpu", "cuda"):
        for name in ("f64", "f32", "f16", "bf16"):
            values = floats(name)
            a = values[torch.randint(0, len(values), (300,))]
            b = values[torch.randint(0, len(values), (300,))]
            for op, call in calls.items():
                if (op, where) == ("sqrt_abs", "cpu") and name in ("f32", "f64"):
                    continue  # comes from a library whose last bit is sometimes wrong
                results = call(a.to(where), b.to(where))
                for x, y, r in zip(bits_of(a, name), bits_of(b, name), bits_of(results, name)):
                    yield op, where, f"{name}:{x},{name}:{y}", str(r)


# ---- files --------------------------------------------------------------------------------------


# ---- autocast -----------------------------------------------------------------------------------

# What they do says nothing about regions; the matrix of ones has no Cholesky factor.
NOT_IN_REGIONS = "random_ normal_ uniform_ requires_grad_ cholesky".split()


def inside(device, dtype, call):
    with torch.autocast(device, dtype=DTYPES[dtype]):
        return call()


def regions(dtypes):
    for device, dtype in itertools.product(("cpu", "cuda"), dtypes):
        mode = f"autocast:{device}:{dtype}"
        at = "@cuda" if device == "cuda" else ""

        def row(op, specs, shapes, call):
            tensors = [operand(spec, shape) for spec, shape in zip(specs, shapes)]
            result = outcome(lambda: inside(device, dtype, lambda: call(*tensors)))
            return op, mode, ",".join(specs), result

        ones = [(op, (3,), unary_call(op)) for op in UNARY + list(UNARY_CALLS)]
        ones += [(op, shape, call) for shape, calls in ONE.items() for op, call in calls.items()]
        for op, shape, call in ones:
            for a in DTYPES if op not in NOT_IN_REGIONS else ():
                yield row(op, [a + at], [shape], call)
        twos = [(op, (3,), (3,), binary_call(op)) for op in BINARY]
        for op, shape_a, shape_b, call in twos + list(pairs()):
            for a, b in itertools.product(DTYPES, DTYPES):
                yield row(op, [a + at, b + at], [shape_a, shape_b], call)


def autocast():
    yield from regions(("bf16", "f16"))


def autocastwide():
    """On the CPU such a region is off, so that calls do what they do outside of it."""
    for i, row in enumerate(regions(("f32", "f64"))):
        if row[1].startswith("autocast:cuda") or i % 16 == 0:
            yield row


# ---- gradients ----------------------------------------------------------------------------------

FLOATING = "f16 bf16 f32 f64 f8e4m3 f8e5m2".split()
BACKWARD_BINARY = "add sub mul div pow atan2 maximum minimum fmod remainder".split()
BACKWARD_PAIRS = """matmul mm bmm mv dot outer linear linear_bias addmm_self baddbmm_self conv1d conv2d
    conv2d_bias cat stack where lerp addcmul mse_loss l1_loss smooth_l1_loss huber_loss kl_div bce
    bce_logits cross_entropy_prob cross_entropy_cls nll_loss layer_norm_w rms_norm_w group_norm_w
    batch_norm_stats sdpa_qk sdpa_mask prelu cosine_similarity index_select gather
    masked_fill_mask masked_select""".split()


def gradient(a, result):
    result.float().sum().backward()
    return a.grad


def backward_calls():
    for op in BACKWARD_BINARY:
        yield op, (2, 2), (2, 2), binary_call(op)
    for op, shape_a, shape_b, call in pairs():
        if op in BACKWARD_PAIRS:
            square = shape_a == shape_b == (3,) and op not in ("dot", "outer")
            yield op, (2, 2) if square else shape_a, (2, 2) if square else shape_b, call
    yield "to", (2, 2), (2, 2), lambda a, b: a.to(b.dtype)


def leaf(spec, value=1.0):
    return (operand(spec, (2, 2)) * value).requires_grad_(True)


def set_grad(a, b):
    a.grad = b
    return a.grad


def leaf_add(a, b):
    return a.add_(b)


def no_grad_leaf_add(a, b):
    with torch.no_grad():
        a.add_(b)
    return a


SAVING_ONE = {
    **{op: unary_call(op) for op in """abs acos asin atan ceil clone cos cosh elu erf erfc exp exp2 expm1
        floor frac gelu hardswish hardtanh leaky_relu log log10 log1p log2 logit logsigmoid mish neg
        reciprocal relu relu6 round rsqrt selu sigmoid sign silu sin sinh softplus sqrt square tan
        tanh trunc softmax log_softmax""".split()},
    "clamp": lambda x: x.clamp(0.0, 1.0),
    "pow2": lambda x: x**2,
    "mul_self": lambda x: x * x,
    "add_self": lambda x: x + x,
    "mul_scalar": lambda x: x * 2.0,
    "div_scalar": lambda x: x / 2.0,
    "to_f64": lambda x: x.to(torch.float64),
    "to_same": lambda x: x.to(torch.float32),
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "prod": lambda x: x.prod(),
    "min": lambda x: x.min(),
    "max": lambda x: x.max(),
    "amax": lambda x: x.amax(),
    "std": lambda x: x.std(),
    "var": lambda x: x.var(),
    "norm": lambda x: x.norm(),
    "median": lambda x: x.median(),
    "logsumexp": lambda x: x.logsumexp(0),
    "cumsum": lambda x: x.cumsum(0),
    "cumprod": lambda x: x.cumprod(0),
    "layer_norm": lambda x: F.layer_norm(x, (2,)),
    "rms_norm": lambda x: F.rms_norm(x, (2,)),
    "reshape": lambda x: x.reshape(4),
    "view": lambda x: x.view(4),
    "tril": lambda x: x.tril(),
}

SAVING_TWO = {
    **{op: binary_call(op) for op in BACKWARD_BINARY},
    "matmul": torch.matmul,
    "mm": torch.mm,
    "linear": F.linear,
    "dot": lambda x, y: torch.dot((x * 1).flatten(), (y * 1).flatten()),
    "cat": lambda x, y: torch.cat([x, y]),
    "stack": lambda x, y: torch.stack([x, y]),
    "where": lambda x, y: torch.where(x > 0, x, y),
    "lerp": lambda x, y: torch.lerp(x, y, 0.5),
    "addcmul": lambda x, y: torch.addcmul(x, y, y),
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "huber_loss": F.huber_loss,
    "kl_div": F.kl_div,
    "bce": F.binary_cross_entropy,
    "bce_logits": F.binary_cross_entropy_with_logits,
    "cross_entropy_prob": F.cross_entropy,
    "cosine_similarity": F.cosine_similarity,
}


def modified(spec, op, call, what, y_grad=None):
    l = (operand(spec, (2, 2)) * 0.5).requires_grad_(True)
    x = l * 1.0
    args = [x]
    if y_grad is not None:
        args.append((operand(spec, (2, 2)) * 0.5).requires_grad_(y_grad) * 1.0)
    z = call(*args)
    z = z.reshape(1) if z.dim() == 0 else z
    changed = z if what == "output" else args[what]
    changed.add_(1.0)
    z.sum().backward()
    return l.grad


def unscale_step(spec, enabled, dtype):
    p = operand(spec, (2, 2)).requires_grad_(True)
    optimizer = torch.optim.SGD([p], lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    with torch.autocast("cuda", dtype=DTYPES[dtype], enabled=enabled):
        loss = (p * p).sum()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    return p


def grad():
    for device in DEVICES:
        for a in DTYPES:
            made = lambda: operand(a + device, (2, 2)).requires_grad_(True)
            yield "requires_grad", "plain", a + device, outcome(made)
        for op, shape_a, shape_b, call in backward_calls():
            for a, b in itertools.product(FLOATING, DTYPES):

                def run():
                    x = operand(a + device, shape_a).requires_grad_(True)
                    return gradient(x, call(x, operand(b + device, shape_b)))

                yield f"backward:{op}", "plain", f"{a}{device},{b}{device}", outcome(run)
        for op, call in {"set_grad": set_grad, "leaf_add_": leaf_add, "no_grad_leaf_add_": no_grad_leaf_add}.items():
            for a, b in itertools.product(FLOATING, DTYPES):
                x, y = operand(a + device, (2, 2)).requires_grad_(True), operand(b + device, (2, 2))
                yield op, "plain", f"{a}{device},{b}{device}", outcome(lambda: call(x, y))
        spec = "f32" + device
        for op, call in SAVING_ONE.items():
            yield f"modify_input_after:{op}", "plain", spec, outcome(lambda: modified(spec, op, call, 0))
            yield f"modify_output_after:{op}", "plain", spec, outcome(lambda: modified(spec, op, call, "output"))
        for op, call in SAVING_TWO.items():
            for which, y_grad in itertools.product((0, 1), (False, True)):
                name = f"modify_arg{which}_after:{op}:ygrad{int(y_grad)}"
                yield name, "plain", spec, outcome(lambda: modified(spec, op, call, which, y_grad))
    for spec, enabled, dtype in itertools.product(FLOATING, (False, True), ("f16", "bf16")):
        at = spec + "@cuda"
        result = outcome(lambda: unscale_step(at, enabled, dtype))
        yield "gradscaler_unscale_step", f"autocast{int(enabled)}:{dtype}", at, result


FILES = {
    f.__name__: f
    for f in (promote, elementwise, ops, device, autocast, autocastwide, grad, creation, default, castbits, opbits)
}


def main():
    if len(sys.argv) < 2 or not set(sys.argv[2:]) <= set(FILES):
        sys.exit(__doc__)
    warnings.filterwarnings("ignore")
    random.seed(7)
    torch.manual_seed(7)
    for name in sys.argv[2:] or FILES:
        rows = list(dict.fromkeys(FILES[name]()))
        path = os.path.join(sys.argv[1], name + ".tsv.gz")
        with gzip.GzipFile(path, "wb", mtime=0) as file:
            file.write("".join("\t".join(row) + "\n" for row in rows).encode())
        print(path, len(rows), flush=True)


if __name__ == "__main__":
    main()
