import torch
from torch import nn


class BagOfWords(nn.Module):
    def __init__(self, vocab=20, dim=8):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab, dim))

    def forward(self, counts):
        return torch.einsum("bv,vd->bd", counts.to(self.table.dtype), self.table)


def count(batch, vocab):
    out = torch.zeros(len(batch), vocab, dtype=torch.long)
    for i, ids in enumerate(batch):
        out[i] = torch.bincount(torch.tensor(ids), minlength=vocab)
    return out


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.bag = BagOfWords()
        self.fc = nn.Linear(8, 2)

    def forward(self, counts):
        return self.fc(self.bag(counts))


print(Classifier()(count([[1, 2, 2], [4]], 20)).shape)
