"""Operations whose kernels do not take f64, or are random: computed by a formula, with the random
part of the real result. A formula gets the arguments by name, widened, and the real results; it
returns the shadow of each result, None for one that is right as it is. None instead of all: it
cannot be computed.
"""

import math

import torch


def dropout(a, out):
    """out, mask = native_dropout(input, p, train)"""
    mask = out[1]
    p = a["p"]
    if a.get("train") is False or p == 0 or mask is None:
        return [a["input"].clone(), None]
    if p == 1:
        return [torch.zeros_like(a["input"]), None]
    return [a["input"] * mask / (1 - p), None]


def fused_dropout(a, out):
    """As older versions have it: p is what is kept."""
    return [a["self"] * out[1] / a["p"], None]


def nan_to_num(a, out, real):
    """What was not finite was replaced on purpose."""
    return [torch.where(torch.isfinite(real["self"]), a["self"], out[0].to(a["self"].dtype))]


# ---- attention -----------------------------------------------------------------------------------


def weights_of(a):
    """The softmax of the scores, in f64; queries and keys are [..., length, width]."""
    q, k = a["query"], a["key"]
    scale = a.get("scale")
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    if k.shape[1] != q.shape[1]:  # several queries for each key
        k = k.repeat_interleave(q.shape[1] // k.shape[1], dim=1)
    scores = (q * scale) @ k.transpose(-2, -1)
    bias = a.get("attn_bias")
    bias = a.get("attn_mask") if bias is None else bias
    if bias is not None:
        bias = bias[..., :scores.shape[-1]]
        scores = scores.masked_fill(~bias, -math.inf) if bias.dtype is torch.bool else scores + bias
    if a.get("is_causal"):
        keep = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
        scores = scores.masked_fill_(~keep, -math.inf)
    return torch.softmax(scores, -1), scale


def is_open(a):
    """Whether something is random, or aligned in a way that differs from kernel to kernel."""
    causal = a.get("is_causal") and a["query"].shape[-2] != a["key"].shape[-2]
    return bool(a.get("dropout_p")) or causal


def repeated(t, like):
    return t if t.shape[1] == like.shape[1] else t.repeat_interleave(like.shape[1] // t.shape[1], 1)


def attention(a, out):
    if is_open(a):
        return None
    weights, _ = weights_of(a)
    return [weights @ repeated(a["value"], a["query"])] + [None] * (len(out) - 1)


def attention_backward(a, out):
    if is_open(a):
        return None
    grad = a["grad_out"] if "grad_out" in a else a["grad_out_"]
    q, k, v = a["query"], a["key"], a["value"]
    weights, scale = weights_of(a)
    keys, values = repeated(k, q), repeated(v, q)
    dv = weights.transpose(-2, -1) @ grad
    dw = grad @ values.transpose(-2, -1)
    ds = weights * (dw - (dw * weights).sum(-1, keepdim=True))
    dq, dk = (ds @ keys) * scale, (ds.transpose(-2, -1) @ q) * scale
    if k.shape[1] != q.shape[1]:
        shape = (k.shape[0], k.shape[1], -1) + tuple(k.shape[2:])
        dk, dv = dk.reshape(shape).sum(2), dv.reshape(shape).sum(2)
    return [dq, dk, dv] + [None] * (len(out) - 3)


def unscale(a, out):
    """_amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale), in place."""
    for grad in a["self"]:
        grad.mul_(a["inv_scale"].to(grad.device))
    return [None] * len(out)


FORMULAS = {
    "native_dropout": dropout,
    "_fused_dropout": fused_dropout,
    "_scaled_dot_product_flash_attention": attention,
    "_scaled_dot_product_efficient_attention": attention,
    "_scaled_dot_product_cudnn_attention": attention,
    "_scaled_dot_product_flash_attention_for_cpu": attention,
    "_scaled_dot_product_flash_attention_backward": attention_backward,
    "_scaled_dot_product_efficient_attention_backward": attention_backward,
    "_scaled_dot_product_cudnn_attention_backward": attention_backward,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attention_backward,
    "_amp_foreach_non_finite_check_and_unscale_": unscale,
    "nan_to_num": nan_to_num,
}
NEEDS_REAL = frozenset(("nan_to_num",))
