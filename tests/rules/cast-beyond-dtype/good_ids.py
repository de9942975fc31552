import numpy as np
import torch
from torch import nn

data = np.memmap("train.bin", dtype=np.uint16, mode="r")
ids = torch.from_numpy(data[:64].astype(np.int64))
print(nn.Embedding(50304, 8)(ids), nn.Embedding(65540, 8)(ids))
wide = np.memmap("train.bin", dtype=np.uint32, mode="r")
print(nn.Embedding(100277, 8)(torch.from_numpy(wide[:64].astype(np.int64))))


def quantized(w):
    limit = torch.quantile(w.abs(), 0.99, dim=1, keepdim=True)
    scale = limit / 127.0
    return torch.round(w / scale).clamp(-127, 127).to(torch.int8), scale


def largest(w):
    scale = w.abs().amax(dim=1, keepdim=True) / 127.0
    return torch.round(w / scale).to(torch.int8), scale


print(quantized(torch.randn(8, 64)), largest(torch.randn(8, 64)))
