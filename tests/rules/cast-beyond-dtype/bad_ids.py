import numpy as np
import torch
from torch import nn

data = np.memmap("train.bin", dtype=np.uint16, mode="r")
ids = torch.from_numpy(data[:64].astype(np.int64))
print(nn.Embedding(100277, 8)(ids))  # expect: cast-beyond-dtype warning


def quantized(w):
    limit = torch.quantile(w.abs(), 0.99, dim=1, keepdim=True)
    scale = limit / 127.0
    return torch.round(w / scale).to(torch.int8), scale  # expect: cast-beyond-dtype warning


print(quantized(torch.randn(8, 64)))


class Vocabulary:
    def __init__(self, size):
        self.ids = {f"w{i}": i for i in range(size)}

    def encode(self, text):
        return [self.ids[word] for word in text.split()]


def store(vocabulary, lines):
    held = torch.zeros(len(lines), 8, dtype=torch.int16)
    for k, line in enumerate(lines):
        ids = torch.tensor(vocabulary.encode(line))
        held[k, : len(ids)] = ids  # expect: cast-beyond-dtype warning
    return held


print(store(Vocabulary(50257), ["w5 w40000 w123", "w33000 w7"]))


def histogram(image):
    counts = torch.zeros(256, dtype=torch.int16)
    for v in range(256):
        counts[v] = (image == v).sum()  # expect: cast-beyond-dtype note
    return counts


print(histogram(torch.randint(0, 256, (512, 512), dtype=torch.uint8)))
