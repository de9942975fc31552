import torch


def quantize(x, bits=8):
    qmax = 2 ** (bits - 1) - 1
    scale = x.abs().amax(dim=-1, keepdim=True) / qmax
    q = (x / scale).round().clamp(-qmax - 1, qmax).to(torch.int8)
    return q, scale


def dequantize(q, scale):
    return q.to(scale.dtype) * scale


w = torch.randn(64, 64)
q, s = quantize(w)
print((dequantize(q, s) - w).abs().mean())
