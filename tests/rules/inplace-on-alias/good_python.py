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


class Cache:
    """What is made when there is none yet is kept, and changed in place the next time, too."""

    def __init__(self):
        self.buffer = None

    def zeroed(self, n):
        if self.buffer is None:
            buffer = torch.zeros(n)
            self.buffer = buffer
        else:
            buffer = self.buffer
        buffer.zero_()
        return buffer

    def shared(self, n):
        buffer = self.buffer
        buffer.fill_(n)
        total = buffer.sum()
        buffer = buffer.cpu() + 1
        return total, buffer
