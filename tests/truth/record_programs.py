#!/usr/bin/env python3
"""Records random programs, statement by statement, as described in rows/README.md.

    record_programs.py DIRECTORY [COUNT [PROCESSES]]

writes programs.tsv.gz, and messages.txt, which lists how error messages were classified. It needs
PyTorch and a CUDA GPU, and record.py next to it; building and testing need only the rows that are here.

A program is generated while it runs: a statement is tried on operands that fit (some do not), and is
added to the program if its outcome depends on dtypes, devices, ranks or gradients.
Each program runs twice at once, the second time with every inexact result off by about one unit in the
last place: a value that changes much is not recorded, and the tolerance of the others follows from
the change.
"""

import collections
import gzip
import math
import multiprocessing
import os
import random
import re
import sys
import time
import warnings

import torch
import torch.nn.functional as F

OLD = not hasattr(torch, "float8_e4m3fn")  # trying this out on a PyTorch without them
if OLD:
    torch.float8_e4m3fn, torch.float8_e5m2 = "f8e4m3", "f8e5m2"

import record  # noqa: E402
from record import DTYPES, NAMES, PAIRS, TENSORS_ONLY, UNARY, UNARY_CALLS  # noqa: E402

if OLD:
    DTYPES = {name: dtype for name, dtype in DTYPES.items() if not isinstance(dtype, str)}
CUDA = torch.cuda.is_available()
MOST = 30  # statements
FLOATS = ("f16", "bf16", "f32", "f64")

# ---- kinds of errors ----------------------------------------------------------------------------

KINDS = (
    ("drop", r"single memory location|ZeroDivision|out of bounds|out of range|singular|positive-definite"),
    ("drop", r"autocast::prioritize|internal assert|INTERNAL ASSERT|NYI|cublas|CUBLAS|not a valid|returns multiple views"),
    ("shape", r"number of sizes provided"),
    ("cast", r"can't be cast"),
    ("overflow", r"without overflow"),
    ("leaf", r"leaf Variable that requires grad|flags of leaf variables"),
    ("version", r"modified by an inplace operation"),
    ("autocast", r"unsafe to autocast"),
    ("grad", r"can require gradients|does not require grad|automatic differentiation|in no_grad mode"),
    ("grad", r"Can't detach views|graph a second time|derivative for"),
    ("grad", r"not differentiable with respect|can't retain_grad"),
    ("grad", r"Autograd not support dtype"),
    ("dtype", r"following scalar types|getCudnnDataType|does not support bool|Expected a long tensor"),
    ("device", r"CPU [Ss]calar"),
    ("device", r"same device|two devices|different device|different from other tensors|on the same device"),
    ("device", r"is on cpu|is on cuda|but (got|found).*(cpu|cuda)|arguments from the '\w+' backend"),
    ("dtype", r"implemented for '|scalar type|dtype|Float8|Promotion for|data type|promot"),
    ("dtype", r"should be the same|bool tensor|Byte|Bool|boolean|integral|floating|type"),
    ("dtype", r"did not match|applicable to index|Integral inputs|For integral input tensors|Expected tensors used as indices|must be Long"),
    ("shape", r"cannot be applied to a|-D argument|size|shape|dimension|Dimension|broadcast|D tensor|must be [a-z]* ?matri|1D|2D|vector|ranks"),
)


def error_kind(message):
    for kind, pattern in KINDS:
        if re.search(pattern, message):
            return kind
    return "drop"


# ---- what statements do -------------------------------------------------------------------------

# Of the f8 dtypes, what most ops make hangs on how many elements there are: others than these are recorded
# with fixed shapes alone.
F8_TAKE = set("""add sub div eq ne lt le gt ge copy_ clone contiguous detach detach_ neg abs zeros_like
    ones_like zero_ isnan look to_copy cpu cuda cuda_half cpu_float half float double long int bfloat16 byte to_bool
    char short type_as one_hot_like t transpose2 flat view_flat flatten unsqueeze_first unsqueeze_last select_first
    select_last narrow_first slice_tail step permute2 permute3 expand23 reshape_as expand_as view_as fill_ cat
    stack index_select exp relu sigmoid""".split())


EXACT, ULP, SUMS = 0, 1, 2  # how far results may be off: not, by their last place, by that of the operands


class Op:
    """spec: a letter an operand; t a tensor, n a tensor or a number."""

    def __init__(self, name, spec, call, close=EXACT, fits=None, ranks=None, often=1.0, view=False):
        self.name, self.spec, self.call, self.close = name, spec, call, close
        self.fits = fits  # of the operands, as they are on both runs
        self.ranks = ranks  # what their ranks must be; a misfit is an error of shape, and recorded
        self.often, self.view = often, view
        # What is written to cannot be tried again; nor what changes where gradients go.
        self.written = 0 if name.endswith("_") else -1 if name.endswith("_out") else None
        self.in_place = self.written is not None and name not in ("require_", "release_", "detach_")


OPS = {}


def op(name, spec, call, *args, **more):
    OPS[name] = Op(name, spec, call, *args, **more)


def tensors(args):
    return [t for t in args if isinstance(t, torch.Tensor)]


def broadcast(*args):
    try:
        torch.broadcast_shapes(*(t.shape for t in tensors(args)))
        return True
    except RuntimeError:
        return False


def values(t):
    t = t.detach().to("cpu")
    return (t.to(torch.float32) if t.element_size() == 1 else t).to(torch.float64)  # f8 has no other way


def alike(t, u):
    """The value is known, not only about: it decides what happens."""
    return t.shape == u.shape and torch.equal(values(t), values(u))


def within(t, low, high):
    v = values(t)
    return bool(((v >= low) & (v <= high)).all())


def indices_of(t, size):
    return t.dtype.is_floating_point or t.dtype == torch.bool or within(t, 0, size - 1)


LIMITS = {name: (torch.iinfo(d).min, torch.iinfo(d).max) for name, d in DTYPES.items() if name[0] in "iu"}


def castable(t, dtype):
    """What happens to floats that do not fit an integer differs between processors."""
    if not t.dtype.is_floating_point or NAMES[dtype] not in LIMITS:
        return True
    return within(t, *LIMITS[NAMES[dtype]])


def no_ties(t):
    v = values(t).flatten().tolist()
    return len(set(v)) == len(v) and not any(math.isnan(x) for x in v)


def rank(*ranks):
    """Each tensor has that many dimensions."""
    return lambda *args: all(t.dim() in (r if isinstance(r, tuple) else (r,)) for t, r in zip(args, ranks))


def divides(a, b):
    """What integers divided by 0 are differs between processors."""
    if not all(isinstance(t, int) or isinstance(t, torch.Tensor) and not t.dtype.is_floating_point for t in (a, b)):
        return True
    return bool((values(b) != 0).all()) if isinstance(b, torch.Tensor) else b != 0


SOME = (1, 2, 3, 4)

EXACT_ONES = """abs bitwise_not ceil clone contiguous detach floor frac hardtanh isfinite isinf isnan logical_not neg
    ones_like positive reciprocal relu relu6 round sign square trunc zeros_like abs_ bitwise_not_ floor_
    logical_not_ neg_ relu_ round_ square_ zero_ clamp_int clamp_float masked_fill_neg1e9 masked_fill_1
    fill_1_5 full_like_1_5 leaky_relu""".split()
RANDOM = "empty_like rand_like randn_like normal_ random_ uniform_ dropout bernoulli multinomial".split()
# What these return is recorded, but not used again: who knows what is in it; how many dimensions it has hangs
# on sizes or on a text; whether it is a view hangs on how elements lie.
UNUSED = """empty_like squeeze_first squeeze_all einsum contiguous flat flatten reshape_as
    repeat_interleave""".split()
CERTAIN = "zeros_like ones_like full_like_1_5 zero_ fill_1_5".split()  # whatever is given
EXACT_PAIRS = """add bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor eq ge gt le
    logical_and logical_or logical_xor lt maximum minimum mul ne sub rsub add_ bitwise_and_ bitwise_or_ copy_
    eq_ logical_and_ lt_ mul_ sub_""".split()

for name in UNARY + list(UNARY_CALLS):
    aliases = name in ("contiguous", "detach", "positive")
    op(name, "t", record.unary_call(name), EXACT if name in EXACT_ONES else ULP, often=0.5, view=aliases)
for name in record.BINARY + ["rsub"]:
    spec = "tn" if name not in TENSORS_ONLY else "tt"
    op(name, spec, record.binary_call(name), EXACT if name in EXACT_PAIRS else ULP, broadcast)
for name in "add sub mul div add_ sub_ mul_ div_ copy_".split():
    OPS[name].often = 4.0
OPS["copy_"].fits = lambda a, b: broadcast(a, b) and castable(b, a.dtype)
for name in "bitwise_left_shift bitwise_right_shift".split():
    OPS[name].fits = lambda a, b: broadcast(a, b) and (b.dtype.is_floating_point or within(b, 0, 6))
for name in "floor_divide fmod remainder floor_divide_ fmod_ remainder_".split():
    OPS[name].fits = lambda a, b: broadcast(a, b) and divides(a, b)
OPS["rsub"].spec = "ta"  # a number only
MORE_ = "bitwise_xor_ ge_ gt_ le_ ne_ logical_or_ logical_xor_".split()
for name in MORE_:
    op(name, "tn" if name[:3] != "log" else "tt", record.binary_call(name), EXACT, broadcast)
for name in "ceil_ cos_ trunc_".split():
    op(name, "t", lambda a, f=name: getattr(a, f)(), ULP if name == "cos_" else EXACT, often=0.5)
op("silu_", "t", lambda a: F.silu(a, inplace=True), ULP, often=0.5)
op("clamp_", "t", lambda a: a.clamp_(-1, 1), EXACT, often=0.7)
op("gelu_tanh", "t", lambda a: F.gelu(a, approximate="tanh"), ULP, often=0.5)
for name in [n for n in OPS if n.endswith("_")]:
    OPS[name].often *= 1.5

# reductions and the like
REDUCTIONS = {
    "sum": (EXACT, 2), "mean": (SUMS, 2), "prod": (ULP, 1), "min": (EXACT, 1), "max": (EXACT, 1),
    "amax": (EXACT, 1), "all": (EXACT, 1), "any": (EXACT, 1), "std": (SUMS, 1), "var": (SUMS, 1),
    "median": (EXACT, 1), "norm": (SUMS, 1), "count_nonzero": (EXACT, 1), "sum_f16": (SUMS, 1),
    "sum_f32": (SUMS, 1), "sum_i64": (SUMS, 1), "mean_f32": (SUMS, 1), "softmax_f32": (ULP, 1),
    "cumsum": (SUMS, 1), "cumprod": (ULP, 1), "logsumexp": (SUMS, 1), "sort": (EXACT, 1), "topk": (EXACT, 1),
}  # fmt: skip
for name, (close, often) in REDUCTIONS.items():
    op(name, "t", record.ONE[(3,)][name], max(close, SUMS) if name == "sum" else close, often=often)
OPS["sum_i64"].fits = lambda a: castable(a, torch.int64)
for name in ("argmax", "argmin"):
    op(name, "t", record.ONE[(3,)][name], fits=no_ties)
op("nonzero", "t", lambda a: a.nonzero(), fits=lambda a: a.dim() > 0)
DECIDES = {"nonzero", "masked_select", "index", "one_hot", "embedding", "cross_entropy_cls", "nll_loss", "bce",
           "searchsorted", "bucketize", "bernoulli", "multinomial", "index_put_", "index_add_", "index_copy_",
           "scatter_", "scatter_add_", "bce_none", "embedding_bag",
           "floor_divide", "fmod", "remainder", "floor_divide_", "fmod_", "remainder_", "cross_entropy_none", "argmax", "argmin", "argmax_dim0",
           "argsort"}  # fmt: skip

DIM = {
    "sum_dim0": lambda a: a.sum(0),
    "sum_last_keep": lambda a: a.sum(-1, keepdim=True),
    "sum_f64": lambda a: a.sum(dtype=torch.float64),
    "mean_dim0": lambda a: a.mean(0),
    "mean_last_keep": lambda a: a.mean(-1, keepdim=True),
    "prod_dim0": lambda a: a.prod(0),
    "amin": lambda a: a.amin(),
    "amax_last": lambda a: a.amax(-1),
    "amin_keep": lambda a: a.amin(0, keepdim=True),
    "max_dim0": lambda a: a.max(0)[0],
    "min_last": lambda a: a.min(-1)[0],
    "median_dim0": lambda a: a.median(0)[0],
    "all_dim0": lambda a: a.all(0),
    "any_last_keep": lambda a: a.any(-1, keepdim=True),
    "var_dim0": lambda a: a.var(0),
    "std_last_keep": lambda a: a.std(-1, keepdim=True),
    "norm_dim0": lambda a: a.norm(dim=0),
    "norm_1": lambda a: a.norm(1),
    "norm_inf": lambda a: a.norm(float("inf")),
    "logsumexp_last": lambda a: a.logsumexp(-1),
    "cumsum_last": lambda a: a.cumsum(-1),
    "sort_dim0": lambda a: a.sort(0)[0],
}
for name, call in DIM.items():
    op(name, "t", call, SUMS if re.match("sum|mean|prod|var|std|norm|log|cums", name) else EXACT, often=0.7)
op("argmax_dim0", "t", lambda a: a.argmax(0), fits=no_ties)
op("argsort", "t", lambda a: a.argsort(), fits=no_ties)
op("softmax_dim0", "t", lambda a: F.softmax(a, 0), ULP)
op("log_softmax_f32", "t", lambda a: F.log_softmax(a, -1, dtype=torch.float32), ULP)

# matrix products; their operands' ranks are looked at, their sizes fit


def inner(a, b):
    return a.dim() == 0 or b.dim() == 0 or a.shape[-1] == b.shape[-2 if b.dim() > 1 else 0]


def batches(a, b):
    return inner(a, b) and (a.dim() < 3 or b.dim() < 3 or a.shape[:-2] == b.shape[:-2])


def rows_of(a, b):
    return a.dim() == 0 or b.dim() == 0 or a.shape[-1] == b.shape[-1]


op("mm", "tt", torch.mm, SUMS, inner, rank(2, 2), often=3)
op("matmul", "tt", torch.matmul, SUMS, batches, rank(SOME, SOME), often=3)
op("einsum", "tt", lambda a, b: torch.einsum("ij,jk->ik", a, b), SUMS,
   lambda a, b: a.dim() == 2 and b.dim() == 2 and inner(a, b) and a.shape[1] > 1)  # fmt: skip
op("bmm", "tt", torch.bmm, SUMS, batches, rank(3, 3), often=2)
op("mv", "tt", torch.mv, SUMS, inner, rank(2, 1), often=2)
op("dot", "tt", torch.dot, SUMS, inner, rank(1, 1), often=2)
op("outer", "tt", torch.outer, EXACT, None, rank(1, 1), often=2)
op("linear", "tt", F.linear, SUMS, rows_of, rank(SOME, 2), often=3)
op("linear3", "ttt", F.linear, SUMS,
   lambda a, b, c: rows_of(a, b) and c.dim() < 2 and (not c.dim() or not b.dim() or c.shape[0] == b.shape[0]),
   rank(SOME, 2, 1), often=3)  # fmt: skip


def product_with(a, b, c):
    if b.dim() < 2 or c.dim() < 2 or not batches(b, c):
        return b.dim() < 2 or c.dim() < 2
    try:
        return torch.broadcast_shapes(a.shape, torch.Size([*b.shape[:-1], c.shape[-1]])) == torch.Size(
            [*b.shape[:-1], c.shape[-1]]
        )
    except RuntimeError:
        return False


op("addmm", "ttt", torch.addmm, SUMS, product_with, rank((0, 1, 2), 2, 2), often=2)
op("addmm_", "ttt", lambda a, b, c: a.addmm_(b, c), SUMS, product_with, rank(2, 2, 2), often=2)
op("baddbmm", "ttt", torch.baddbmm, SUMS, product_with, rank((0, 1, 2, 3), 3, 3), often=1)
op("mm_out", "ttt", lambda a, b, c: torch.mm(a, b, out=c), SUMS,
   lambda a, b, c: inner(a, b) and a.dim() == b.dim() == 2 and c.shape == (a.shape[0], b.shape[1]), often=2)  # fmt: skip
op("matmul_out", "ttt", lambda a, b, c: torch.matmul(a, b, out=c), SUMS,
   lambda a, b, c: inner(a, b) and a.dim() == b.dim() == 2 and c.shape == (a.shape[0], b.shape[1]))  # fmt: skip


def out_fits(a, b, c):
    return broadcast(a, b) and torch.broadcast_shapes(*(t.shape for t in tensors((a, b)))) == c.shape


for name in "add mul sub div pow maximum".split():
    op(name + "_out", "tnt" if name != "maximum" else "ttt",
       lambda a, b, c, f=getattr(torch, name): f(a, b, out=c),
       EXACT if name in EXACT_PAIRS else ULP, out_fits)  # fmt: skip

# layers
four = rank(4)


def last_fits(a, b, c=None):
    return a.dim() > 1 and b.dim() == 1 and a.shape[-1:] == b.shape and (c is None or c.shape == b.shape)


def channels_fit(a, b, c):
    return a.dim() > 1 and b.dim() == 1 and a.shape[1:2] == b.shape and c.shape == b.shape


op("layer_norm", "t", lambda a: F.layer_norm(a, a.shape[-1:]), SUMS, lambda a: a.dim() > 0 and a.shape[-1] > 1)
op("layer_norm3", "ttt", lambda a, b, c: F.layer_norm(a, b.shape, b, c), SUMS, last_fits, often=3)
op("group_norm3", "ttt", lambda a, b, c: F.group_norm(a, 1, b, c), SUMS,
   lambda a, b, c: channels_fit(a, b, c) and a[0].numel() > 1, often=2)  # fmt: skip
op("batch_norm3", "ttt", F.batch_norm, SUMS, lambda a, b, c: channels_fit(a, b, c) and b.dtype.is_floating_point and within(c, 0.1, 9), often=2)
if not OLD:
    op("rms_norm", "t", lambda a: F.rms_norm(a, a.shape[-1:]), SUMS, lambda a: a.dim() > 0)
    op("rms_norm_w", "tt", lambda a, b: F.rms_norm(a, b.shape, b), SUMS, last_fits, often=2)
    op("sdpa3", "ttt", F.scaled_dot_product_attention, SUMS,
       lambda a, b, c: a.dim() == b.dim() == c.dim() >= 2 and a.shape == b.shape == c.shape, often=2)  # fmt: skip
    op("sdpa_causal", "tt", lambda a, b: F.scaled_dot_product_attention(a, b, b, is_causal=True), SUMS,
       lambda a, b: a.dim() == b.dim() >= 2 and a.shape == b.shape)  # fmt: skip
op("prelu", "tt", F.prelu, EXACT, lambda a, b: a.dim() > 0 and b.shape == (1,), often=2)
op("conv1d", "tt", F.conv1d, SUMS,
   lambda a, b: a.dim() == b.dim() == 3 and a.shape[1] == b.shape[1] and b.shape[2] <= a.shape[2], often=2)  # fmt: skip
op("conv2d", "tt", F.conv2d, SUMS,
   lambda a, b: a.dim() == b.dim() == 4 and a.shape[1] == b.shape[1] and b.shape[2] <= a.shape[2], often=2)  # fmt: skip
for name, call in record.ONE[(1, 1, 2, 2)].items():
    op(name, "t", call, SUMS if "avg" in name else EXACT, lambda a: a.dim() == 4 and a.shape[-1] > 1 < a.shape[-2])
op("embedding_bag", "tt", F.embedding_bag, SUMS, lambda a, b: a.dim() == b.dim() == 2 and b.dtype.is_floating_point and indices_of(a, b.shape[0]), often=1.5)
op("cosine_similarity", "tt", F.cosine_similarity, SUMS, lambda a, b: a.dim() == 2 and a.shape == b.shape)

# losses
LOSSES = {
    "mse_loss": F.mse_loss, "l1_loss": F.l1_loss, "smooth_l1_loss": F.smooth_l1_loss,
    "huber_loss": F.huber_loss, "kl_div": F.kl_div, "bce_logits": F.binary_cross_entropy_with_logits,
}  # fmt: skip
for name, call in LOSSES.items():
    op(name, "tt", call, SUMS, lambda a, b: a.shape == b.shape, often=2)
    op(name + "_sum", "tt", lambda a, b, f=call: f(a, b, reduction="sum"), SUMS, lambda a, b: a.shape == b.shape)
    op(name + "_none", "tt", lambda a, b, f=call: f(a, b, reduction="none"), SUMS, lambda a, b: a.shape == b.shape)
op("bce", "tt", F.binary_cross_entropy, SUMS, lambda a, b: a.shape == b.shape and within(a, 0, 1) and within(b, 0, 1), often=2)
op("bce_none", "tt", lambda a, b: F.binary_cross_entropy(a, b, reduction="none"), SUMS, OPS["bce"].fits)


def classes_fit(a, b):
    return a.dim() == 2 and b.dim() == 1 and b.shape[0] == a.shape[0] and indices_of(b, a.shape[1])


op("cross_entropy_prob", "tt", F.cross_entropy, SUMS, lambda a, b: a.dim() == 2 and a.shape == b.shape, often=2)
op("cross_entropy_cls", "tt", F.cross_entropy, SUMS, classes_fit, often=3)
op("cross_entropy_none", "tt", lambda a, b: F.cross_entropy(a, b, reduction="none"), SUMS, classes_fit, often=2)
op("nll_loss", "tt", F.nll_loss, SUMS, classes_fit, often=2)

# joining and indexing
op("cat", "tt", lambda a, b: torch.cat([a, b]), EXACT, lambda a, b: a.dim() > 0 and a.dim() == b.dim() and a.shape[1:] == b.shape[1:], often=2)
op("cat3", "ttt", lambda a, b, c: torch.cat([a, b, c], -1), EXACT,
   lambda a, b, c: a.dim() > 0 and a.dim() == b.dim() == c.dim() and a.shape[:-1] == b.shape[:-1] == c.shape[:-1])  # fmt: skip
op("stack", "tt", lambda a, b: torch.stack([a, b]), EXACT, lambda a, b: a.shape == b.shape and a.dim() < 4, often=2)
op("where", "tt", PAIRS[((3,), (3,))]["where"], EXACT, broadcast)
op("where3", "tnn", torch.where, EXACT, broadcast, often=3)
op("lerp", "tt", lambda a, b: torch.lerp(a, b, 0.5), ULP, broadcast)
op("lerp3", "ttt", torch.lerp, ULP, broadcast)
op("lerp_", "tt", lambda a, b: a.lerp_(b, 0.5), ULP, broadcast)
op("addcmul3", "ttt", torch.addcmul, ULP, broadcast, often=2)
op("addcdiv3", "ttt", torch.addcdiv, ULP, broadcast, often=2)
op("addcmul_", "ttt", lambda a, b, c: a.addcmul_(b, c), ULP, broadcast)
op("addcdiv_", "ttt", lambda a, b, c: a.addcdiv_(b, c), ULP, broadcast)
op("clamp3", "tnn", lambda a, b, c: a.clamp(b, c), EXACT,
   lambda a, b, c: broadcast(a, b, c) and isinstance(b, torch.Tensor) == isinstance(c, torch.Tensor), often=2)  # fmt: skip
op("clamp_min", "tn", lambda a, b: a.clamp(min=b), EXACT, broadcast)
op("add_alpha", "tn", lambda a, b: torch.add(a, b, alpha=2), EXACT, broadcast)
op("sub_alpha_float", "tn", lambda a, b: torch.sub(a, b, alpha=0.5), ULP, broadcast)
op("add_alpha_", "tn", lambda a, b: a.add_(b, alpha=0.5), ULP, broadcast)
op("fill_", "tn", lambda a, b: a.fill_(b), EXACT, lambda a, b: not tensors([b]) or b.dim() == 0 and castable(b, a.dtype))
op("masked_fill3", "ttn", lambda a, b, c: a.masked_fill(b, c), EXACT,
   lambda a, b, c: broadcast(a, b) and (not tensors([c]) or c.dim() == 0 and castable(c, a.dtype)), often=2)  # fmt: skip
op("masked_fill_", "ttn", lambda a, b, c: a.masked_fill_(b, c), EXACT, OPS["masked_fill3"].fits)
op("masked_fill_mask", "tt", lambda a, b: a.masked_fill(b, 0), EXACT, broadcast)
op("masked_select", "tt", torch.masked_select, EXACT, lambda a, b: a.shape == b.shape)
op("index", "tt", lambda a, b: a[b], EXACT,
   lambda a, b: a.dim() > 0 and (a.shape == b.shape if b.dtype in (torch.bool, torch.uint8)
                                 else b.dim() == 1 and indices_of(b, a.shape[0])), often=2)  # fmt: skip
op("index_select", "tt", PAIRS[((3,), (2,))]["index_select"], EXACT, lambda a, b: a.dim() > 0 and b.dim() == 1)
op("gather", "tt", PAIRS[((3,), (2,))]["gather"], EXACT,
   lambda a, b: a.dim() == b.dim() > 0 and all(m >= n for m, n in zip(a.shape[1:], b.shape[1:])))  # fmt: skip
op("embedding", "tt", F.embedding, EXACT, lambda a, b: b.dim() == 2 and indices_of(a, b.shape[0]), often=2)
op("one_hot", "t", lambda a: F.one_hot(a, 3), EXACT, lambda a: indices_of(a, 3))


def put_fits(a, b, c):
    return a.dim() > 0 and b.dim() == 1 and c.shape == b.shape + a.shape[1:] and indices_of(b, a.shape[0])


def scatter_fits(a, b, c):
    return a.dim() == 1 and a.shape == b.shape == c.shape and indices_of(b, a.shape[0])


op("index_add_", "ttt", lambda a, b, c: a.index_add_(0, b, c), SUMS, put_fits, often=2)
op("index_copy_", "ttt", lambda a, b, c: a.index_copy_(0, b, c), EXACT,
   lambda a, b, c: put_fits(a, b, c) and no_ties(b), often=2)  # fmt: skip
op("index_put_", "ttt", lambda a, b, c: a.index_put_((b,), c), EXACT,
   lambda a, b, c: put_fits(a, b, c) and b.dtype not in (torch.bool, torch.uint8) and no_ties(b), often=2)  # fmt: skip
op("scatter_", "ttt", lambda a, b, c: a.scatter_(0, b, c), EXACT,
   lambda a, b, c: scatter_fits(a, b, c) and no_ties(b), often=2)  # fmt: skip
op("scatter_add_", "ttt", lambda a, b, c: a.scatter_add_(0, b, c), SUMS, scatter_fits, often=2)
op("searchsorted", "tt", torch.searchsorted, EXACT, lambda a, b: a.dim() == 1 and b.dim() == 1)
op("bucketize", "tt", torch.bucketize, EXACT, lambda a, b: b.dim() == 1)
op("isclose", "tt", torch.isclose, EXACT, broadcast)
op("pad", "t", lambda a: F.pad(a, (1, 1)), EXACT, lambda a: a.dim() > 0)
op("tril", "t", lambda a: a.tril(), EXACT, lambda a: a.dim() > 1)
op("triu", "t", lambda a: a.triu(1), EXACT, lambda a: a.dim() > 1)
op("flip", "t", lambda a: a.flip(0), EXACT, lambda a: a.dim() > 0)
op("roll", "t", lambda a: a.roll(1, 0), EXACT, lambda a: a.dim() > 0)
op("repeat_interleave", "t", lambda a: a.repeat_interleave(2, 0), EXACT, lambda a: a.dim() > 0)
op("multinomial", "t", lambda a: torch.multinomial(a, 1), EXACT, lambda a: 0 < a.dim() < 3 and within(a, 0.1, 2))
op("view_as", "tt", lambda a, b: a.view_as(b), EXACT, lambda a, b: a.numel() == b.numel() and a.is_contiguous(), view=True)
op("bernoulli", "t", torch.bernoulli, EXACT, lambda a: within(a, 0, 1))

# casts and moves
CASTS = "half float double long int bfloat16 byte to_bool".split()
TO = dict(zip(CASTS, "f16 f32 f64 i64 i32 bf16 u8 bool".split()), char="i8", short="i16")
for name, dtype in TO.items():
    op(name, "t", lambda a, d=DTYPES[dtype]: a.to(d), EXACT, lambda a, d=DTYPES[dtype]: castable(a, d), often=1.5, view=True)
op("type_as", "tt", lambda a, b: a.type_as(b), EXACT, lambda a, b: castable(a, b.dtype), view=True)
op("one_hot_like", "tt", lambda a, b: a.to(b.dtype), EXACT, lambda a, b: castable(a, b.dtype), view=True)
op("cpu", "t", lambda a: a.cpu(), EXACT, often=3, view=True)
if CUDA:
    op("cuda", "t", lambda a: a.cuda(), EXACT, often=4, view=True)
    op("cuda_half", "t", lambda a: a.to("cuda", torch.float16), EXACT, view=True)
op("cpu_float", "t", lambda a: a.to("cpu", torch.float32), EXACT, view=True)
op("to_copy", "t", lambda a: a.to(a.dtype, copy=True), EXACT)
op("look", "t", lambda a: a.to(a.dtype), EXACT, often=6, view=True)

# views
VIEWS = {
    "t": (lambda a: a.t(), lambda a: a.dim() < 3),
    "transpose2": (lambda a: a.transpose(0, -1), None),
    "flat": (lambda a: a.reshape(-1), None),
    "view_flat": (lambda a: a.view(-1), lambda a: a.is_contiguous()),
    "flatten": (lambda a: a.flatten(), None),
    "unsqueeze_first": (lambda a: a.unsqueeze(0), lambda a: a.dim() < 4),
    "unsqueeze_last": (lambda a: a.unsqueeze(-1), lambda a: a.dim() < 4),
    "squeeze_first": (lambda a: a.squeeze(0), None),
    "squeeze_all": (lambda a: a.squeeze(), None),
    "select_first": (lambda a: a.select(0, 0), None),
    "select_last": (lambda a: a.select(-1, -1), None),
    "narrow_first": (lambda a: a.narrow(0, 0, 1), None),
    "slice_tail": (lambda a: a[1:3] if a.dim() else a.narrow(0, 0, 1), lambda a: a.dim() == 0 or a.shape[0] > 1),
    "step": (lambda a: a[..., ::2], lambda a: a.dim() > 0),
    "permute2": (lambda a: a.permute(1, 0), lambda a: a.dim() == 2),
    "permute3": (lambda a: a.permute(2, 0, 1), lambda a: a.dim() == 3),
    "expand23": (lambda a: a.expand(2, 3), lambda a: broadcast(a, torch.empty(2, 3)) and a.dim() < 3),
}
for name, (call, fits) in VIEWS.items():
    op(name, "t", call, EXACT, fits, often=1.5, view=True)
    if name.startswith(("select", "narrow")):
        OPS[name].ranks = rank(SOME)
op("reshape_as", "tt", lambda a, b: a.reshape_as(b), EXACT, lambda a, b: a.numel() == b.numel(), view=True)
op("expand_as", "tt", lambda a, b: a.expand_as(b), EXACT, lambda a, b: broadcast(a, b) and torch.broadcast_shapes(a.shape, b.shape) == b.shape, view=True)
op("view_i32", "t", lambda a: a.view(torch.int32), EXACT, lambda a: a.element_size() == 4, often=0.4, view=True)
op("view_f16", "t", lambda a: a.view(torch.float16), EXACT, lambda a: a.element_size() == 2, often=0.4, view=True)

# gradients
op("require_", "t", lambda a: a.requires_grad_(True), often=3, view=True)
op("release_", "t", lambda a: a.requires_grad_(False), often=1, view=True)
op("detach_", "t", lambda a: a.detach_(), often=1, view=True)
op("grad", "t", lambda a: a.grad, ULP, often=4)
op("zero_grad", "t", lambda a: setattr(a, "grad", None), often=0.5)
op("retain_grad", "t", lambda a: a.retain_grad(), often=0.5)
op("back", "t", lambda a: a.sum().backward(), often=8)
op("back_keep", "t", lambda a: a.sum().backward(retain_graph=True), often=5)
op("back_ones", "t", lambda a: a.backward(torch.ones_like(a)), often=2)
BACK = ("back", "back_keep", "back_ones")

NUMBERS = [2, 3, -1, 0, 1, 2.5, 0.5, 0.1, -1.5, 0.0, True, False, 300, 70000, 1e10, -1e9]
LIKELY = 12  # of the numbers, these fit everything but fractions
SHAPES = [(), (), (), (3,), (3,), (2,), (1,), (2, 3), (2, 3), (2, 2), (3, 2), (3, 3), (1, 3), (2, 1),
          (2, 2, 3), (1, 2, 2), (2, 3, 2), (1, 2, 4), (2, 2, 1), (1, 2, 2, 2), (2, 2, 1, 1)]  # fmt: skip

# Operands that fit, for ops that hardly ever find any: shapes, with a dtype or where elements are.
UNIT = "unit"  # from 0 to 1
MADE = {
    "conv1d": [(1, 2, 4), (2, 2, 1)],
    "conv2d": [(1, 2, 2, 2), (2, 2, 1, 1)],
    "avg_pool2d": [(1, 2, 2, 2)],
    "max_pool2d": [(1, 2, 2, 2)],
    "interpolate": [(1, 2, 2, 2)],
    "adaptive_avg_pool2d": [(1, 2, 2, 2)],
    "layer_norm3": [(2, 3), (3,), (3,)],
    "rms_norm_w": [(2, 3), (3,)],
    "group_norm3": [(1, 2, 2), (2,), (2,)],
    "batch_norm3": [(3, 2), (2,), ((2,), UNIT)],
    "prelu": [(2, 3), (1,)],
    "cross_entropy_cls": [(2, 3), ((2,), "i64")],
    "cross_entropy_none": [(2, 3), ((2,), "i64")],
    "nll_loss": [(2, 3), ((2,), "i64")],
    "cross_entropy_prob": [(2, 3), (2, 3)],
    "embedding": [((2,), "i64"), (3, 2)],
    "index_add_": [(3,), ((2,), "i64"), (2,)],
    "index_copy_": [(3, 2), ((2,), "i64"), (2, 2)],
    "index_put_": [(3,), ((2,), "i64"), (2,)],
    "index": [(3, 2), ((2,), "i64")],
    "scatter_": [(3,), ((3,), "i64"), (3,)],
    "scatter_add_": [(3,), ((3,), "i64"), (3,)],
    "index_select": [(3, 2), ((2,), "i64")],
    "gather": [(3,), ((2,), "i64")],
    "mm": [(2, 3), (3, 2)],
    "mv": [(2, 3), (3,)],
    "dot": [(3,), (3,)],
    "bmm": [(2, 2, 3), (2, 3, 2)],
    "einsum": [(2, 3), (3, 2)],
    "linear": [(2, 3), (2, 3)],
    "linear3": [(2, 3), (2, 3), (2,)],
    "addmm": [(2, 2), (2, 3), (3, 2)],
    "addmm_": [(2, 2), (2, 3), (3, 2)],
    "baddbmm": [(2, 2, 2), (2, 2, 3), (2, 3, 2)],
    "mm_out": [(2, 3), (3, 2), (2, 2)],
    "matmul_out": [(2, 3), (3, 2), (2, 2)],
    "sdpa3": [(1, 2, 2, 2), (1, 2, 2, 2), (1, 2, 2, 2)],
    "sdpa_causal": [(2, 2, 3), (2, 2, 3)],
    "cosine_similarity": [(2, 3), (2, 3)],
    "bce": [((2, 3), UNIT), ((2, 3), UNIT)],
    "bce_none": [((2,), UNIT), ((2,), UNIT)],
    "bernoulli": [((3,), UNIT)],
    "multinomial": [((3,), UNIT)],
    "embedding_bag": [((2, 2), "i64"), (3, 2)],
    "masked_select": [(2, 3), ((2, 3), "bool")],
    "masked_fill3": [(2, 3), ((2, 3), "bool")],
    "masked_fill_": [(2, 3), ((2, 3), "bool")],
    "where3": [((2, 3), "bool")],
    "searchsorted": [(3,), (2,)],
    "cat3": [(2, 3), (2, 3), (2, 3)],
}

# ---- a program ----------------------------------------------------------------------------------


def number_text(n):
    return str(n).lower() if isinstance(n, bool) else repr(n)


def fresh(dtype, device, shape, leaf, seed):
    """Elements that differ, about 0, of which many are the same on the way to other dtypes."""
    count = math.prod(shape)
    v = [((i * 7 + seed * 3) % 11 - 4) * (0.25 if dtype in FLOATS or dtype[:2] == "f8" else 1) for i in range(count)]
    if seed >= 5 and dtype not in LIMITS:
        v = [(i * 3 % 4 + 1) * 0.25 for i in range(count)]
    elif dtype in ("u8", "i64", "i32", "bool"):
        v = [(i + seed) % 2 if dtype == "bool" else (i * 2 + seed) % 3 for i in range(count)]
    t = torch.tensor(v, dtype=torch.float64).reshape(shape).to(DTYPES[dtype]).to(device)
    t = t.clone()  # which is no view, whatever it was until then
    return t.requires_grad_(True) if leaf else t


ULPS = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52, "f8e4m3": 2.0**-3, "f8e5m2": 2.0**-2}


def disturb(rng, result, op_, operands):
    """Off by about one in the last place, of the result or of what was added up."""
    ulp = ULPS.get(NAMES[result.dtype])
    if not ulp or not result.numel():
        return
    v = values(result).to(result.device)
    size = v.abs()
    if op_.close == SUMS:
        floats = [t for t in tensors(operands) if t.dtype.is_floating_point and t.numel()]
        most = max([float(values(t).abs().max()) for t in floats] + [0.0])
        coarse = max([ULPS[NAMES[t.dtype]] for t in floats] + [ulp])
        size = size + (0.5 * most if math.isfinite(most) else 0.0)
        ulp = max(ulp, coarse)
    sign = torch.tensor([rng.choice((-1.0, 1.0)) for _ in range(v.numel())], dtype=torch.float64)
    v = v + size * sign.reshape(v.shape).to(v.device) * ulp
    overwrite(result, v)


def overwrite(t, v):
    """Not seen by autograd."""
    with torch.no_grad():
        t.data.copy_(v.to(t.dtype))


def scramble(rng, t):
    count = t.numel()
    v = torch.tensor([rng.random() * 4 - 2 for _ in range(count)], dtype=torch.float64).reshape(t.shape)
    overwrite(t, (v if t.dtype.is_floating_point else (v > 0).to(torch.float64)).to(t.device))


SURE, UNSURE = 5, 0  # how many digits of a value are known


def digits_of(t, u):
    """How many digits both runs agree on."""
    v, w = values(t).flatten(), values(u).flatten()
    if not torch.equal(torch.isnan(v), torch.isnan(w)) or not torch.equal(torch.isinf(v), torch.isinf(w)):
        return UNSURE
    if not bool(torch.isfinite(v).all()):
        return SURE
    places = torch.arange(1, v.numel() + 1, dtype=torch.float64)
    size, off = float((v.abs() * places).sum()), 8 * float(((v - w).abs() * places).sum())
    return next((digits for digits in (SURE, 4, 3, 2) if off <= 10.0**-digits * size), UNSURE)


def value_text(t, digits):
    """Elements weighed by their places, and added up."""
    v = values(t).flatten()
    if digits == UNSURE:
        return "~"
    if not bool(torch.isfinite(v).all()):
        return "nan" if bool(torch.isnan(v).any()) else "inf"
    total = float((v * torch.arange(1, v.numel() + 1, dtype=torch.float64)).sum())
    return format(total, ".6g") if digits == SURE else format(total, f".{digits + 2}g") + "~" + str(digits)


def describe(t, digits):
    shape = "x".join(str(n) for n in t.shape)
    grad = "" if not t.requires_grad else "+leaf" if t.grad_fn is None else "+grad"
    return f"{NAMES[t.dtype]}:{shape}{'@cuda' if t.is_cuda else ''}{grad} {value_text(t, digits)}"


class Region:
    """What a statement opened; the second run of the program is inside as well."""

    def __init__(self, text, context):
        self.text, self.context = text, context
        context.__enter__()


def storage_of(t):
    return (t.storage() if OLD else t.untyped_storage()).data_ptr()


def same_memory(t, u):
    return t.device == u.device and storage_of(t) == storage_of(u)


def same_place(t, u):
    return t.data_ptr() == u.data_ptr() and t.shape == u.shape and t.stride() == u.stride()


class Broken(Exception):
    """The GPU takes no more work."""


class Program:
    def __init__(self, seed, messages):
        self.rng = random.Random(seed)
        self.t, self.u = [], []  # one of each statement; None: it made none
        self.digits = {}  # that are known of what is in a storage
        self.views = set()  # what view ops made; others return views, too, but none that matter
        self.texts, self.outcomes = [], []
        self.regions = []
        self.errors = 0
        self.messages = messages
        self.ended = False
        self.deviced = self.rng.random() < 0.7 and CUDA
        self.autocasts = self.rng.random() < 0.15
        # A program keeps to some dtypes, or its tensors would hardly ever fit each other.
        most = self.rng.choice([("f32",), ("f32", "f16"), ("bf16", "f32"), ("f16",), ("f64", "f32"), tuple(DTYPES)])
        self.dtypes = list(most) * (24 // len(most)) + list(DTYPES)
        self.shapes = SHAPES if self.rng.random() < 0.5 else self.rng.sample(SHAPES, 6)

    def add(self, text, outcome, t=None, u=None):
        self.texts.append(text)
        self.outcomes.append(outcome)
        self.t.append(t)
        self.u.append(u)

    def make_for(self, o):
        rng = self.rng
        device = "cuda" if self.deviced and rng.random() < 0.5 else "cpu"
        one = rng.choice(self.dtypes)
        first = len(self.t)
        for i, what in enumerate(MADE[o.name]):
            shape, kind = what if len(what) == 2 and isinstance(what[0], tuple) else (what, None)
            dtype = kind if kind in DTYPES else one
            if rng.random() < 0.12:
                dtype = rng.choice(self.dtypes)
            where = device if rng.random() < 0.93 or not self.deviced else "cuda" if device == "cpu" else "cpu"
            written = o.in_place and i == (o.written or 0) % len(MADE[o.name])
            self.make(dtype, where, shape, 5 if kind == UNIT else None, not written)
        return list(range(first, len(self.t)))

    def make(self, dtype=None, device=None, shape=None, seed=None, leaves=True):
        rng = self.rng
        dtype = dtype or rng.choice(self.dtypes)
        device = device or ("cuda" if self.deviced and rng.random() < 0.5 else "cpu")
        shape = rng.choice(self.shapes) if shape is None else shape
        leaf = dtype in FLOATS and rng.random() < 0.35 and leaves
        seed = rng.randrange(5) if seed is None else seed
        t, u = (fresh(dtype, device, shape, leaf, seed) for _ in range(2))
        text = f"{'leaf' if leaf else 'new'} {dtype}{'@cuda' if device == 'cuda' else ''} {'x'.join(map(str, shape)) or '-'} {seed}"
        self.add(text, self.describe(t, u, SURE), t, u)

    def describe(self, t, u, most, shared=False):
        """Of memory that was there before the worst is kept: t may be a part of it."""
        place = storage_of(t)
        digits = min(most, digits_of(t, u))
        self.digits[place] = min(digits, self.digits.get(place, SURE)) if shared else digits
        return describe(t, digits)

    def mode(self):
        rng = self.rng
        if self.regions and rng.random() < 0.6:
            self.regions.pop().context.__exit__(None, None, None)
            self.add("end", "-")
            return
        if self.autocasts and rng.random() < 0.6:
            device = "cuda" if self.deviced and rng.random() < 0.5 else "cpu"
            dtype = rng.choice(["f16", "bf16"]) if not OLD or device == "cuda" else "bf16"
            region = Region(f"autocast {device} {dtype}", torch.autocast(device, DTYPES[dtype]))
        elif rng.random() < 0.75:
            region = Region("no_grad", torch.no_grad())
        else:
            region = Region("enable_grad", torch.enable_grad())
        self.regions.append(region)
        self.add(region.text, "-")

    def pick(self, exclude=()):
        live = [i for i, t in enumerate(self.t) if t is not None]
        recent = live[-6:]
        return self.rng.choice(live + recent * 2)

    def operands(self, o):
        """Indices, or ("n", number)."""
        rng = self.rng
        tidy = rng.random() < 0.85  # one device
        one_dtype = rng.random() < 0.5
        first = self.pick()
        x = self.t[first]
        chosen = [first]
        for letter in o.spec[1:]:
            if letter == "a" or (letter == "n" and rng.random() < 0.3):
                chosen.append(("n", rng.choice(NUMBERS[:LIKELY] if rng.random() < 0.9 else NUMBERS)))
                continue
            for _ in range(6):
                i = self.pick()
                y = self.t[i]
                if tidy and y.device != x.device or one_dtype and y.dtype != x.dtype and rng.random() < 0.8:
                    continue
                break
            chosen.append(i)
        return chosen

    def fits(self, o, args, shadows):
        if o.in_place:
            x = args[o.written]
            others = tensors(args[1:] if o.written == 0 else args[:-1])
            if any(same_memory(x, y) and (o.close == SUMS or not same_place(x, y)) for y in others):
                return False
        if o.name in DECIDES:
            known = all(self.digits.get(storage_of(t), UNSURE) == SURE for t in tensors(args))
            if not known or not all(alike(t, u) for t, u in zip(tensors(args), tensors(shadows))):
                return False
        return o.fits is None or (o.fits(*args) and o.fits(*shadows))

    def suits(self, o, args):
        """Most of the time what would only fail is left alone."""
        rng, x = self.rng, args[o.written or 0]
        if o.name not in F8_TAKE and any(t.dtype.is_floating_point and t.element_size() == 1 for t in tensors(args)):
            return False
        if o.name == "require_" and x._is_view():
            return False
        if o.name == "detach_" and x._is_view() and id(x) not in self.views:
            return False
        if o.name in BACK and not x.requires_grad:
            return rng.random() < 0.01
        if o.name in ("grad", "zero_grad", "retain_grad") and not x.requires_grad:
            return rng.random() < 0.05
        if o.in_place and x.requires_grad and x.is_leaf and torch.is_grad_enabled():
            return rng.random() < 0.05
        return not o.ranks or o.ranks(*args) or rng.random() < 0.1

    def statement(self):
        o = self.rng.choices(NAMED, WEIGHTS)[0]
        made = []
        for attempt in range(12):
            chosen = self.operands(o)
            if attempt == 10 and o.name in MADE and len(self.t) < MOST - 6:
                made = self.make_for(o)
            chosen[: len(made)] = made
            args = [c[1] if isinstance(c, tuple) else self.t[c] for c in chosen]
            shadows = [c[1] if isinstance(c, tuple) else self.u[c] for c in chosen]
            if not self.suits(o, args) or not self.fits(o, args, shadows):
                continue
            try:
                if self.run(o, chosen, args, shadows) or self.ended:
                    return
            except Broken:
                raise
            except Exception as error:
                if "CUDA error" in str(error):
                    raise Broken(o.name + ": " + str(error)) from error
                self.messages[f"UNEXPECTED {o.name}: {str(error)[:110]}"] += 1
                self.ended = True
                return

    def run(self, o, chosen, args, shadows):
        text = o.name + "".join(" " + (number_text(c[1]) if isinstance(c, tuple) else f"t{c}") for c in chosen)
        rank_misfit = bool(o.ranks and not o.ranks(*args))
        if o.written == 0 and not o.ranks:
            rank_misfit = args[0].dim() < max([y.dim() for y in tensors(args[1:])] + [0])
        try:
            t = o.call(*args)
            if self.deviced:
                torch.cuda.synchronize()
        except Exception as error:
            return self.failed(o, text, str(error), rank_misfit, shadows)
        try:
            u = o.call(*shadows)
        except Exception as error:
            self.messages["SECOND " + o.name + ": " + str(error)[:90]] += 1
            self.ended = True  # the two runs are no longer the same
            return False
        return self.succeeded(o, text, args, t, u)

    def failed(self, o, text, message, rank_misfit, shadows):
        if "CUDA error" in message:
            raise Broken(o.name + ": " + message)
        kind = error_kind(message)
        if "does not require grad" in message and tensors(shadows)[0].requires_grad:
            kind = "drop"  # a view that was made where nothing is recorded contradicts itself
        if kind == "shape" and not rank_misfit:
            kind = "drop shape"
        self.messages[f"{kind} {o.name}: " + re.sub(r"\s+", " ", re.sub(r"\d+", "N", message))[:110]] += 1
        if kind.startswith("drop") or (self.errors >= 3 and o.name not in BACK) or self.rng.random() < 0.3:
            if o.name in BACK:
                self.ended = True
                return True
            return False
        try:
            o.call(*shadows)
            self.ended = True
            return False
        except Exception:
            pass
        self.errors += 1
        self.add(text, "error:" + kind)
        if o.name in BACK:
            self.ended = True
        return True

    def succeeded(self, o, text, args, t, u):
        rng = self.rng
        if not isinstance(t, torch.Tensor):
            self.add(text, "none" if o.name == "grad" else "-")
            return True
        if t.shape != u.shape or t.dtype != u.dtype or t.dim() > 4:
            return False
        if o.name in RANDOM:
            scramble(rng, u)
        elif o.close != EXACT and not o.view:
            disturb(rng, u, o, args)
        if not o.in_place and not o.view and o.name != "grad" and rng.random() < 0.9:
            v = values(t)
            if t.numel() and not bool((v.abs() < 1e4).all()):
                return False
        if t.numel() == 0:  # what indices there could be
            return False
        if t.requires_grad and not t.dtype.is_floating_point:
            self.ended = True  # PyTorch contradicts itself there
            return True
        # What follows from uncertain values is no better known, although both runs may agree.
        known = [self.digits.get(storage_of(x), UNSURE) for x in tensors(args)]
        if o.name == "grad":
            known = [self.digits.get(storage_of(x), UNSURE) for x in self.t if x is not None and x.requires_grad]
        if o.name in RANDOM:
            known = [UNSURE]
        if o.name in CERTAIN:
            known = []
        outcome = self.describe(t, u, min(known, default=SURE), o.in_place or o.view)
        if o.view:
            self.views.add(id(t))
        if o.name in UNUSED:
            t = u = None
        self.add(text, outcome, t, u)
        return True

    def row(self):
        rng = self.rng
        torch.set_grad_enabled(True)
        for _ in range(rng.randint(3, 5)):
            self.make()
        count = rng.randint(12, MOST)
        while len(self.texts) < count and not self.ended:
            r = rng.random()
            if r < 0.06:
                self.make()
            elif r < (0.14 if self.autocasts or self.regions else 0.09):
                self.mode()
            else:
                self.statement()
        while self.regions:
            self.regions.pop().context.__exit__(None, None, None)
        return "program", "typed", "; ".join(self.texts), "; ".join(self.outcomes)


NAMED = list(OPS.values())
WEIGHTS = [o.often for o in NAMED]


def share(job):
    """Rows of the seeds from first to last, and the seeds to go on with in another process: after a
    failed assertion on the GPU this one cannot use it any more."""
    first, last = job
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(first)
    if not OLD:
        torch.backends.cudnn.allow_tf32 = False
    messages, rows = collections.Counter(), []
    for seed in range(first, last):
        program = Program(seed, messages)
        try:
            row = program.row()
        except Exception as error:
            if not isinstance(error, Broken) and "CUDA error" not in str(error):
                messages["UNEXPECTED, program dropped: " + str(error)[:110]] += 1
                while program.regions:
                    program.regions.pop().context.__exit__(None, None, None)
                continue
            messages["BROKEN " + str(error)[:200]] += 1
            return rows, messages, (seed + 1, last)
        if len("\t".join(row)) < 4000 and row[2].count(";") >= 7:
            rows.append(row)
    return rows, messages, None


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 16
    seeds, step = count * 5 // 4, max(1, count // (4 * processes))
    jobs = [(i, min(i + step, seeds)) for i in range(0, seeds, step)]
    shares = []
    with multiprocessing.get_context("spawn").Pool(processes, maxtasksperchild=1) as pool:
        while jobs:
            done = pool.map(share, jobs, 1)
            shares += [(job, rows, messages) for job, (rows, messages, _) in zip(jobs, done)]
            jobs = [rest for _, _, rest in done if rest and rest[0] < rest[1]]
    shares.sort(key=lambda s: s[0])
    shares = [(rows, messages) for _, rows, messages in shares]
    rows = [row for part, _ in shares for row in part][:count]
    messages = sum((m for _, m in shares), collections.Counter())
    with gzip.GzipFile(os.path.join(sys.argv[1], "programs.tsv.gz"), "wb", mtime=0) as file:
        file.write("".join("\t".join(row) + "\n" for row in rows).encode())
    with open(os.path.join(sys.argv[1], "messages.txt"), "w") as file:
        file.writelines(f"{n}\t{text}\n" for text, n in messages.most_common())
    print(torch.__version__, CUDA, len(rows), "programs", sum(row[2].count(";") + 1 for row in rows), "statements")


if __name__ == "__main__":
    main()
