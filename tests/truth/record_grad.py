#!/usr/bin/env python3
"""Records what PyTorch's gradients do into files of rows, as described in rows/README.md.

    record_grad.py DIRECTORY

writes grad-more.tsv.gz (dtypes of gradients, what must not be modified before backward),
gradvalues.tsv.gz (gradients as numbers, mostly at corners) and gradprograms.tsv.gz (random programs
of views, in-place ops and modes). It needs PyTorch and a CUDA GPU; building and testing need only the
rows that are here.
"""

import gzip
import itertools
import os
import random
import re
import sys
import warnings

import torch
import torch.nn.functional as F

from record import DEVICES, DTYPES, describe, operand

FLOATS = ["f16", "bf16", "f32", "f64"]

KINDS = (
    ("leaf", r"leaf"),
    ("version", r"modified by an inplace"),
    ("cast", r"can't be cast"),
    ("overflow", r"without overflow"),
    ("device", r"same device|two devices|different device"),
    ("argument", r"single memory location"),
    ("grad", r"can require gradients|does not require grad|automatic differentiation|not implemented"),
    ("grad", r"not differentiable with respect|returns multiple views"),
)


def error_kind(error):
    for kind, pattern in KINDS:
        if re.search(pattern, str(error)):
            return "dtype" if kind == "grad" and "implemented for '" in str(error) else kind
    return "dtype"


def outcome(call):
    try:
        return describe(call())
    except Exception as error:  # whatever PyTorch raises is what we are here for
        return "error:" + error_kind(error)


# ---- dtypes of gradients ------------------------------------------------------------------------


def true_mask(x):
    return torch.ones(x.shape, dtype=torch.bool, device=x.device)


def zero_index(x, *shape):
    return torch.zeros(shape, dtype=torch.int64, device=x.device)


def images(x):
    return x.reshape(1, 1, 2, 2)


UNARY = """abs acos asin atan ceil cos cosh erf erfc exp exp2 expm1 floor frac log log10 log1p log2
    neg positive reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc relu
    clone contiguous detach""".split()
ACTIVATIONS = """relu6 silu mish selu hardswish logsigmoid gelu elu leaky_relu softplus
    hardtanh""".split()
IN_PLACE = """abs_ ceil_ cos_ erf_ exp_ floor_ log_ neg_ reciprocal_ relu_ round_ rsqrt_ sigmoid_
    sin_ sqrt_ square_ tanh_ trunc_ zero_ normal_ uniform_ random_""".split()

ONE = {op: getattr(torch, op, None) or (lambda x, op=op: getattr(x, op)()) for op in UNARY}
ONE |= {op: getattr(F, op) for op in ACTIVATIONS}
ONE |= {op: (lambda x, op=op: getattr(x * 1, op)()) for op in IN_PLACE}
ONE |= {
    "silu_": lambda x: F.silu(x * 1, inplace=True),
    "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"),
    "logit": torch.logit,
    "logit_eps": lambda x: torch.logit(x, 0.1),
    "clamp": lambda x: x.clamp(0.0, 1.0),
    "clamp_": lambda x: (x * 1).clamp_(0.0, 1.0),
    "clamp_min": lambda x: x.clamp(0.0),
    "dropout": lambda x: F.dropout(x, 0.5, True),
    "dropout_eval": lambda x: F.dropout(x, 0.5, False),
    "masked_fill": lambda x: x.masked_fill(true_mask(x), 1.0),
    "masked_fill_": lambda x: (x * 1).masked_fill_(true_mask(x), 1.0),
    "fill_": lambda x: (x * 1).fill_(1.0),
    "pow0": lambda x: x**0,
    "pow1": lambda x: x**1,
    "pow2": lambda x: x**2,
    "pow_half": lambda x: x**0.5,
    "pow_": lambda x: (x * 1).pow_(2),
    "rpow": lambda x: 2.0**x,
    "rsub": lambda x: 2.0 - x,
    "mul_self": lambda x: x * x,
    "add_self": lambda x: x + x,
    "mul_scalar": lambda x: x * 2.0,
    "div_scalar": lambda x: x / 2.0,
    "fmod_scalar": lambda x: x.fmod(0.4),
    "remainder_scalar": lambda x: x.remainder(0.4),
    "floor_divide": lambda x: x.floor_divide(0.4),
    "sum": torch.sum,
    "sum_dim": lambda x: x.sum(0),
    "sum_f64": lambda x: x.sum(dtype=torch.float64),
    "mean": torch.mean,
    "mean_dim": lambda x: x.mean(0),
    "prod": torch.prod,
    "prod_dim": lambda x: x.prod(0),
    "amax": lambda x: x.amax(),
    "amax_dim": lambda x: x.amax(0),
    "amin": lambda x: x.amin(),
    "max": torch.max,
    "max_dim": lambda x: x.max(0)[0],
    "min": torch.min,
    "min_dim": lambda x: x.min(0)[0],
    "median": torch.median,
    "median_dim": lambda x: x.median(0)[0],
    "var": torch.var,
    "var_dim": lambda x: x.var(0),
    "std": torch.std,
    "std_dim": lambda x: x.std(0),
    "norm": torch.norm,
    "norm_1": lambda x: x.norm(1),
    "norm_3": lambda x: x.norm(3),
    "norm_inf": lambda x: x.norm(float("inf")),
    "norm_dim": lambda x: x.norm(2, 0),
    "logsumexp": lambda x: x.logsumexp(0),
    "cumsum": lambda x: x.cumsum(0),
    "cumprod": lambda x: x.cumprod(0),
    "softmax": lambda x: x.softmax(-1),
    "softmax_f32": lambda x: x.softmax(-1, dtype=torch.float32),
    "log_softmax": lambda x: x.log_softmax(-1),
    "log_softmax_f32": lambda x: x.log_softmax(-1, dtype=torch.float32),
    "sort": lambda x: x.sort()[0],
    "topk": lambda x: x.topk(1)[0],
    "to_f64": lambda x: x.to(torch.float64),
    "to_f32": lambda x: x.to(torch.float32),
    "to_copy": lambda x: x.to(x.dtype, copy=True),
    "view": lambda x: x.view(4),
    "reshape": lambda x: x.reshape(4),
    "reshape_copy": lambda x: x.t().reshape(4),
    "transpose": lambda x: x.t(),
    "permute": lambda x: x.permute(1, 0),
    "expand": lambda x: x.expand(3, 2, 2),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "squeeze": lambda x: x.unsqueeze(0).squeeze(0),
    "flatten": lambda x: x.flatten(),
    "select": lambda x: x.select(0, 1),
    "narrow": lambda x: x.narrow(0, 0, 1),
    "slice_step": lambda x: x[::2],
    "chunk": lambda x: x.chunk(2)[0],
    "split": lambda x: x.split(1)[1],
    "flip": lambda x: x.flip(0),
    "roll": lambda x: x.roll(1, 0),
    "repeat_interleave": lambda x: x.repeat_interleave(2, 0),
    "tril": torch.tril,
    "triu": torch.triu,
    "pad": lambda x: F.pad(x, (1, 1)),
    "index": lambda x: x[zero_index(x, 2)],
    "index_mask": lambda x: x[true_mask(x)],
    "index_select": lambda x: x.index_select(0, zero_index(x, 2)),
    "gather": lambda x: x.gather(0, zero_index(x, 2, 2)),
    "masked_select": lambda x: x.masked_select(true_mask(x)),
    "embedding": lambda x: F.embedding(zero_index(x, 3), x),
    "embedding_bag": lambda x: F.embedding_bag(zero_index(x, 1, 2), x),
    "layer_norm": lambda x: F.layer_norm(x, (2,)),
    "rms_norm": lambda x: F.rms_norm(x, (2,)),
    "group_norm": lambda x: F.group_norm(x.reshape(1, 2, 2), 1),
    "batch_norm_train": lambda x: F.batch_norm(x, None, None, training=True),
    "avg_pool2d": lambda x: F.avg_pool2d(images(x), 2),
    "max_pool2d": lambda x: F.max_pool2d(images(x), 2),
    "adaptive_avg_pool2d": lambda x: F.adaptive_avg_pool2d(images(x), (1, 1)),
    "interpolate": lambda x: F.interpolate(images(x), scale_factor=2),
    "cross_entropy_cls": lambda x: F.cross_entropy(x, zero_index(x, 2)),
    "nll_loss": lambda x: F.nll_loss(x, zero_index(x, 2)),
    "inverse": lambda x: torch.inverse(x + torch.eye(2, dtype=x.dtype, device=x.device)),
    "cholesky": lambda x: torch.linalg.cholesky(x + torch.eye(2, dtype=x.dtype, device=x.device)),
    "svd": torch.linalg.svdvals,
    "sdpa": lambda x: F.scaled_dot_product_attention(x, x, x),
    "sdpa_4d": lambda x: F.scaled_dot_product_attention(*[x.reshape(1, 1, 2, 2)] * 3),
    "zeros_like": torch.zeros_like,
    "ones_like": torch.ones_like,
    "sign_self": lambda x: x.sign() * x,
    "bernoulli": lambda x: torch.bernoulli(x * 0),
    "argmax": lambda x: x.argmax(),
    "eq": lambda x: x == x,
}


def in_place(op):
    return lambda a, b: getattr(a * 1, op)(b)


def with_stats(a, b):
    return F.batch_norm(a, b[0], b[0].abs())


TWO = {op: getattr(torch, op) for op in "add sub mul div pow atan2 maximum minimum fmod remainder".split()}
TWO |= {op + "_": in_place(op + "_") for op in "add sub mul div pow atan2 fmod remainder copy".split()}
TWO |= {
    "to": lambda a, b: a.to(b.dtype),
    "type_as": lambda a, b: a.type_as(b),
    "where": lambda a, b: torch.where(true_mask(a), a, b),
    "where_not": lambda a, b: torch.where(~true_mask(a), a, b),
    "cat": lambda a, b: torch.cat([a, b]),
    "stack": lambda a, b: torch.stack([a, b]),
    "lerp": lambda a, b: torch.lerp(a, b, 0.5),
    "lerp_weight": lambda a, b: torch.lerp(a, a, b),
    "lerp_": lambda a, b: (a * 1).lerp_(b, 0.5),
    "addcmul": lambda a, b: torch.addcmul(a, b, b),
    "addcmul_a": lambda a, b: torch.addcmul(b, a, b),
    "addcdiv": lambda a, b: torch.addcdiv(a, b, b),
    "addcdiv_a": lambda a, b: torch.addcdiv(b, a, b),
    "addcmul_": lambda a, b: (a * 1).addcmul_(b, b),
    "addcdiv_": lambda a, b: (a * 1).addcdiv_(b, b),
    "prelu": lambda a, b: F.prelu(a, b[0, :1]),
    "clamp_min_tensor": lambda a, b: a.clamp(min=b),
    "clamp_tensors": lambda a, b: a.clamp(b, b),
    "masked_fill_tensor": lambda a, b: a.masked_fill(true_mask(a), b[0, 0]),
    "fill_tensor": lambda a, b: (a * 1).fill_(b[0, 0]),
    "matmul": torch.matmul,
    "mm": torch.mm,
    "bmm": lambda a, b: torch.bmm(a[None], b[None]),
    "mv": lambda a, b: torch.mv(a, b[0]),
    "dot": lambda a, b: torch.dot((a * 1).flatten(), (b * 1).flatten()),
    "dot_flat": lambda a, b: torch.dot(a.flatten(), b.flatten()),
    "outer": lambda a, b: torch.outer(a[0], b[0]),
    "einsum": lambda a, b: torch.einsum("ij,jk->ik", a, b),
    "linear": F.linear,
    "linear_bias": lambda a, b: F.linear(a, a, b[0]),
    "addmm": lambda a, b: torch.addmm(a, b, b),
    "addmm_a": lambda a, b: torch.addmm(b, a, b),
    "addmm_": lambda a, b: (a * 1).addmm_(b, b),
    "baddbmm": lambda a, b: torch.baddbmm(a[None], b[None], b[None]),
    "conv1d": lambda a, b: F.conv1d(a[None], b[:, :, None]),
    "conv2d": lambda a, b: F.conv2d(a[None, :, :, None], b[:, :, None, None]),
    "sdpa_qk": lambda a, b: F.scaled_dot_product_attention(a, b, b),
    "sdpa_mask": lambda a, b: F.scaled_dot_product_attention(a, a, a, attn_mask=b),
    "sdpa_4d_qk": lambda a, b: F.scaled_dot_product_attention(*(t.reshape(1, 1, 2, 2) for t in (a, b, b))),
    "sdpa_4d_v": lambda a, b: F.scaled_dot_product_attention(*(t.reshape(1, 1, 2, 2) for t in (a, a, b))),
    "sdpa_4d_mask": lambda a, b: F.scaled_dot_product_attention(
        *(t.reshape(1, 1, 2, 2) for t in (a, a, a)), attn_mask=b
    ),
    "layer_norm_b": lambda a, b: F.layer_norm(a, (2,), torch.ones_like(a[0]), b[0]),
    "layer_norm_w": lambda a, b: F.layer_norm(a, (2,), b[0], b[0]),
    "rms_norm_w": lambda a, b: F.rms_norm(a, (2,), b[0]),
    "group_norm_w": lambda a, b: F.group_norm(a[None], 1, b[0], b[0]),
    "batch_norm_stats": with_stats,
    "batch_norm_w": lambda a, b: F.batch_norm(a, None, None, b[0], b[0], training=True),
    "mse_loss": F.mse_loss,
    "l1_loss": F.l1_loss,
    "smooth_l1_loss": F.smooth_l1_loss,
    "huber_loss": F.huber_loss,
    "kl_div": F.kl_div,
    "bce": F.binary_cross_entropy,
    "bce_logits": F.binary_cross_entropy_with_logits,
    "cross_entropy_prob": F.cross_entropy,
    "cross_entropy_w": lambda a, b: F.cross_entropy(a, zero_index(a, 2), weight=b[0]),
    "mse_weight": lambda a, b: F.mse_loss(a, a * 0, weight=b),
    "bce_logits_weight": lambda a, b: F.binary_cross_entropy_with_logits(a, a.detach() * 0, weight=b),
    "cosine_similarity": lambda a, b: F.cosine_similarity(a, b),
    "index_put_": lambda a, b: (a * 1).index_put_((zero_index(a, 1),), b[:1]),
    "index_add_": lambda a, b: (a * 1).index_add_(0, zero_index(a, 2), b),
    "index_copy_": lambda a, b: (a * 1).index_copy_(0, zero_index(a, 1), b[:1]),
    "scatter_": lambda a, b: (a * 1).scatter_(0, zero_index(a, 2, 2), b),
    "scatter_add_": lambda a, b: (a * 1).scatter_add_(0, zero_index(a, 2, 2), b),
}


def leaf(spec):
    return operand(spec, (2, 2)).requires_grad_(True)


def gradient_of_first(call, a, *others):
    x = leaf(a)
    call(x, *(operand(b, (2, 2)) for b in others)).float().sum().backward()
    return x.grad


def gradient_of_second(call, a, b):
    y = leaf(b)
    call(operand(a, (2, 2)), y).float().sum().backward()
    return y.grad


def set_grad(a, b):
    x = leaf(a)
    x.grad = operand(b, (2, 2))
    return x.grad


def leaf_add_(a, b):
    return leaf(a).add_(operand(b, (2, 2)))


def no_grad_leaf_add_(a, b):
    with torch.no_grad():
        return leaf_add_(a, b)


def dtypes():
    for device in DEVICES:
        for a in DTYPES:
            yield "requires_grad", "plain", a + device, outcome(lambda: leaf(a + device))
        for op, call in ONE.items():
            for a in FLOATS + ["f8e5m2"]:
                args = a + device
                yield "backward:" + op, "plain", args, outcome(lambda: gradient_of_first(call, args))
        for a, b in itertools.product(FLOATS, DTYPES):
            x, y = a + device, b + device
            pair = x + "," + y
            for f in (set_grad, leaf_add_, no_grad_leaf_add_):
                yield f.__name__, "plain", pair, outcome(lambda: f(x, y))
            for op, call in TWO.items():
                yield "backward:" + op, "plain", pair, outcome(lambda: gradient_of_first(call, x, y))
                if b in FLOATS:
                    result = outcome(lambda: gradient_of_second(call, x, y))
                    yield "backward1:" + op, "plain", pair, result


# Where one operand has no dimensions, or lies on another device.
MIXED = """add sub mul div pow atan2 maximum minimum fmod remainder where where_not add_ sub_ mul_ div_
    pow_ copy_ to type_as addcdiv clamp_min_tensor mse_loss l1_loss smooth_l1_loss huber_loss
    kl_div""".split()


def mixed():
    places = ["", "@cuda"]
    for op in MIXED:
        for a, b in itertools.product(["f16", "f32", "f64"], ["i64", "f16", "f32", "f64"]):
            for x, y, dot in itertools.product(places, places, ((".0d", ""), ("", ".0d"), ("", ""))):
                if x == y and dot == ("", ""):
                    continue
                first, second = a + dot[0] + x, b + dot[1] + y
                pair = first + "," + second
                result = outcome(lambda: gradient_of_first(TWO[op], first, second))
                yield "backward:" + op, "plain", pair, result
                if b != "i64":
                    result = outcome(lambda: gradient_of_second(TWO[op], first, second))
                    yield "backward1:" + op, "plain", pair, result


# ---- what may not be modified -------------------------------------------------------------------


def filled(device, grad=True):
    return torch.full((2, 2), 0.5, device="cuda" if device else "cpu", requires_grad=grad)


def after_input(call, device):
    l = filled(device)
    x = l * 1.0
    y = call(x)
    x.add_(1.0)
    y.sum().backward()
    return l.grad


def after_output(call, device):
    l = filled(device)
    y = call(l * 1.0)
    y = y.reshape(1) if y.dim() == 0 else y
    y.add_(1.0)
    y.sum().backward()
    return l.grad


def after_argument(call, device, which, y_grad):
    l, m = filled(device), filled(device, y_grad)
    args = [l * 1.0, m * 1.0]
    z = call(*args)
    args[which].add_(1.0)
    z.sum().backward()
    return l.grad


def modifications():
    for device in DEVICES:
        args = "f32" + device
        for op, call in ONE.items():
            for f in (after_input, after_output):
                name = f.__name__.removeprefix("after_")
                yield f"modify_{name}_after:{op}", "plain", args, outcome(lambda: f(call, device))
        for op, call in TWO.items():
            for which, y_grad in itertools.product((0, 1), (0, 1)):
                name = f"modify_arg{which}_after:{op}:ygrad{y_grad}"
                result = outcome(lambda: after_argument(call, device, which, bool(y_grad)))
                yield name, "plain", args, result


# ---- numbers ------------------------------------------------------------------------------------

NAN, INF = float("nan"), float("inf")
POINTS = [-3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 6.0, INF, -INF, NAN]
ROWS = [
    [1.0, 2.0, 3.0, 4.0],
    [2.0, 2.0, 1.0, 2.0],
    [0.0, 2.0, 3.0, 4.0],
    [0.0, 2.0, 0.0, 4.0],
    [0.0, 0.0, 0.0, 0.0],
    [-1.0, 3.0, -3.0, 3.0],
    [NAN, 1.0, 2.0, 2.0],
    [INF, 1.0, 2.0, 2.0],
    [-INF, -INF, -INF, -INF],
]
PAIRS = [(a, b) for a in (-2.0, -0.0, 0.0, 0.5, 1.0, 2.0) for b in (-2.0, -1.0, 0.0, 1.0, 2.0, 2.5)]

POINTWISE = """abs acos asin atan ceil cos cosh erf erfc exp exp2 expm1 floor frac log log10 log1p
    log2 neg reciprocal round rsqrt sigmoid sign sin sinh sqrt square tan tanh trunc relu relu6 silu
    mish selu hardswish logsigmoid gelu gelu_tanh elu leaky_relu softplus hardtanh logit logit_eps
    clamp clamp_min pow0 pow1 pow2 rpow fmod_scalar remainder_scalar""".split()
ALONG = """prod amax amin max min median norm norm_1 norm_3 norm_inf logsumexp cumsum cumprod
    softmax log_softmax var std sort mean""".split()
BETWEEN = """pow atan2 maximum minimum fmod remainder div mse_loss l1_loss smooth_l1_loss
    huber_loss kl_div bce_logits clamp_min_tensor""".split()


def numbers(values):
    return " ".join(format(v, ".17g") for v in values)


def weigh(z):
    """Each element's share of the loss differs, so that a gradient given to the wrong one shows."""
    return torch.arange(1, z.numel() + 1, dtype=z.dtype).reshape(z.shape)


def values_row(op, call, *operands):
    tensors = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in operands]
    z = call(*tensors)
    z.backward(weigh(z))
    grads = [t.grad if t.grad is not None else torch.zeros_like(t) for t in tensors]
    return (
        "grad:" + op,
        "values",
        "|".join(numbers(v) for v in operands),
        "|".join(numbers(g.tolist()) for g in grads),
    )


def values():
    for op in POINTWISE:
        yield values_row(op, ONE[op], POINTS)
    for op in ALONG:
        for row in ROWS:
            yield values_row(op, ONE[op], row)
    for op in BETWEEN:
        yield values_row(op, TWO[op], [a for a, _ in PAIRS], [b for _, b in PAIRS])


# ---- programs -----------------------------------------------------------------------------------

# A program is a list of statements over tensors t0, t1, … of f64. t0 to t2 are leaves that require
# grad, t3 and t4 are plain. A statement with "=" makes the next tensor. At the end every tensor that
# requires grad is summed, weighed by its number plus one, and the sum goes back.


def leaves():
    shapes = [(2, 3), (3,), (), (2, 3), (3,)]
    made = []
    for k, shape in enumerate(shapes):
        count = int(torch.tensor(shape).prod()) if shape else 1
        t = (torch.arange(count, dtype=torch.float64) * 0.25 - 0.6 + 0.1 * k).reshape(shape)
        made.append(t.clone().requires_grad_(k < 3))
    return made


NEW = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "maximum": lambda x, y: torch.maximum(x, y),
    "sin": lambda x: x.sin(),
    "exp": lambda x: x.exp(),
    "relu": lambda x: x.relu(),
    "double": lambda x: x * 2.0,
    "clone": lambda x: x.clone(),
    "select": lambda x: x[0],
    "last": lambda x: x.select(-1, -1),
    "narrow": lambda x: x.narrow(0, 0, 1),
    "step": lambda x: x[..., ::2],
    "transpose": lambda x: x.transpose(0, -1),
    "flat": lambda x: x.reshape(-1),
    "unsqueeze": lambda x: x.unsqueeze(0),
    "expand": lambda x: x.expand(2, *x.shape),
    "detach": lambda x: x.detach(),
    "chunk": lambda x: x.chunk(2, -1)[0],
    "sum": lambda x: x.sum(0),
    "softmax": lambda x: x.softmax(-1),
}
CHANGE = {
    "add_": lambda x, y: x.add_(y),
    "mul_": lambda x, y: x.mul_(y),
    "copy_": lambda x, y: x.copy_(y),
    "sin_": lambda x: x.sin_(),
    "exp_": lambda x: x.exp_(),
    "relu_": lambda x: x.relu_(),
    "halve_": lambda x: x.mul_(0.5),
    "zero_": lambda x: x.zero_(),
    "detach_": lambda x: x.detach_(),
    "require_": lambda x: x.requires_grad_(True),
    "release_": lambda x: x.requires_grad_(False),
    "back": lambda x: x.sum().backward(),
    "back_keep": lambda x: x.sum().backward(retain_graph=True),
}
TAKES_TWO = "add sub mul maximum add_ mul_ copy_".split()
PROGRAM_KINDS = KINDS + (
    ("grad", r"in no_grad mode|Can't detach views|graph a second time"),
    ("shape", r"size|shape|dimension|Dimension|broadcast"),
)


def program_error(error):
    for kind, pattern in PROGRAM_KINDS:
        if re.search(pattern, str(error)):
            return kind
    return "dtype"


def statement(rng, tensors):
    """A statement as text, and what it does."""
    if rng.random() < 0.12:
        return rng.choice(["off", "on"]), None, []
    op = rng.choice(list(NEW) if rng.random() < 0.55 else list(CHANGE))
    recent = list(range(max(0, len(tensors) - 6), len(tensors))) + list(range(len(tensors)))
    which = [rng.choice(recent) for _ in range(2 if op in TAKES_TWO else 1)]
    if op in CHANGE and op != "release_" and which[0] < 3 and rng.random() < 0.95:
        which[0] = rng.randrange(3, len(tensors))  # leaves would nearly always refuse
    text = ("=" if op in NEW else "") + op + "".join(f" t{i}" for i in which)
    return text, op, which


def run_statement(op, which, tensors):
    result = (NEW.get(op) or CHANGE[op])(*(tensors[i] for i in which))
    if op in NEW:
        tensors.append(result)


def go_back(tensors):
    parts = [(t * float(i + 1)).sum() for i, t in enumerate(tensors) if t.requires_grad]
    sum(parts[1:], parts[0]).backward()
    grads = [t.grad for t in tensors[:3]]
    return "|".join("-" if g is None else numbers(g.flatten().tolist()) for g in grads)


def program_row(seed):
    rng = random.Random(seed)
    tensors, texts = leaves(), []
    result = None
    torch.set_grad_enabled(True)
    for _ in range(rng.randint(4, 16)):
        text, op, which = statement(rng, tensors)
        if op is None:
            torch.set_grad_enabled(text == "on")
            texts.append(text)
            continue
        try:
            run_statement(op, which, tensors)
        except Exception as error:
            if program_error(error) in ("shape", "dtype", "argument"):
                continue  # not what this is about
            result = "error:" + program_error(error)
        texts.append(text)
        if result:
            break
    torch.set_grad_enabled(True)
    if not result:
        try:
            result = go_back(tensors)
        except Exception as error:
            result = "error:" + program_error(error)
    return "program", "values", "; ".join(texts), result


def programs():
    for seed in range(12000):
        row = program_row(seed)
        # PyTorch cannot go back through some overlapping memory, nor where an operand that was saved
        # has been detached in place.
        if row[-1] not in ("error:dtype", "error:argument"):
            yield row


# ---- files --------------------------------------------------------------------------------------


def write(directory, name, rows):
    path = os.path.join(directory, name + ".tsv.gz")
    with gzip.GzipFile(path, "wb", mtime=0) as file:
        file.write("".join("\t".join(row) + "\n" for row in rows).encode())
    print(path, len(rows), flush=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    warnings.filterwarnings("ignore")
    torch.manual_seed(7)
    write(sys.argv[1], "grad-more", list(dict.fromkeys([*dtypes(), *mixed(), *modifications()])))
    write(sys.argv[1], "gradvalues", list(dict.fromkeys(values())))
    write(sys.argv[1], "gradprograms", list(dict.fromkeys(programs())))


if __name__ == "__main__":
    main()
