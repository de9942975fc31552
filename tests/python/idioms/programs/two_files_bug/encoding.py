import numpy as np
import torch


def sinusoid(length, width):
    pos = np.arange(length)[:, None]
    div = np.power(10000.0, np.arange(0, width, 2) / width)
    table = np.zeros((length, width))
    table[:, 0::2] = np.sin(pos / div)
    table[:, 1::2] = np.cos(pos / div)
    return torch.from_numpy(table)
