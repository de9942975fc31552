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


class Vocabulary:
    def __init__(self, size):
        self.ids = {f"w{i}": i for i in range(size)}

    def encode(self, text):
        return [self.ids[word] for word in text.split()]


def store(vocabulary, lines, dtype):
    held = torch.zeros(len(lines), 8, dtype=dtype)
    for k, line in enumerate(lines):
        ids = torch.tensor(vocabulary.encode(line))
        held[k, : len(ids)] = ids
    return held


print(store(Vocabulary(50257), ["w5 w40000 w123", "w33000 w7"], torch.int32))
print(store(Vocabulary(30000), ["w5 w123", "w7"], torch.int16))


def histogram(image):
    counts = torch.zeros(256, dtype=torch.int16)
    for v in range(256):
        counts[v] = (image == v).sum()
    return counts


print(histogram(torch.randint(0, 256, (128, 128), dtype=torch.uint8)))
