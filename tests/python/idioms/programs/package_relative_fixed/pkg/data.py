import torch

from .config import DTYPE, WIDTH


def batches(n):
    for _ in range(n):
        yield torch.randn(4, WIDTH, dtype=DTYPE)
