import numpy as np
import torch
from torch import nn
from util import get_device


def get_positional_encoding(length, dim):
    pos = np.arange(length)[:, None]
    i = np.arange(dim)[None, :]
    angles = pos / np.power(10000, (2 * (i // 2)) / dim)
    table = np.zeros((length, dim))
    table[:, 0::2] = np.sin(angles[:, 0::2])
    table[:, 1::2] = np.cos(angles[:, 1::2])
    return torch.from_numpy(table).float().to(get_device())


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len=64):
        super().__init__()
        self.dim = dim
        self.encoding = get_positional_encoding(max_len, dim)

    def forward(self, x):
        return x + self.encoding[:x.shape[1], :]
