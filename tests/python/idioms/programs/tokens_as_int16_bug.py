import numpy as np
import torch
from torch import nn


class TokenFile:
    def __init__(self, count, vocab):
        self.data = np.random.randint(0, vocab, count).astype(np.int16)

    def batch(self, size, block):
        starts = torch.randint(len(self.data) - block - 1, (size,))
        x = torch.stack([torch.from_numpy(self.data[i : i + block]) for i in starts])
        return x


class Bigram(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.table = nn.Embedding(vocab, vocab)

    def forward(self, ids):
        return self.table(ids)


print(Bigram(50)(TokenFile(400, 50).batch(4, 8)).shape)
