import torch


def additive(mask, scores):
    if mask is None:
        bias = None
    elif mask.dtype == torch.bool:
        bias = torch.zeros_like(mask, dtype=scores.dtype)
        bias.masked_fill_(~mask, float("-inf"))
    else:
        bias = mask
    return bias
