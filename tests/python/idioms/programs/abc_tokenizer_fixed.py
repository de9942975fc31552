from abc import ABC, abstractmethod

import torch
from torch import nn


class Preprocessor(ABC):
    @abstractmethod
    def encode(self, text):
        ...

    def __call__(self, texts):
        rows = [self.encode(t) for t in texts]
        width = max(len(r) for r in rows)
        out = torch.zeros(len(rows), width, dtype=torch.long)
        for i, r in enumerate(rows):
            out[i, :len(r)] = torch.tensor(r)
        return out


class CharPreprocessor(Preprocessor):
    def encode(self, text):
        return [ord(c) % 64 for c in text]


class Classifier(nn.Module):
    def __init__(self, vocab=64, dim=16, classes=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, classes)

    def forward(self, ids):
        return self.out(self.emb(ids).mean(1))


prep = CharPreprocessor()
model = Classifier()
print(model(prep(["hello", "a longer sentence"])))
