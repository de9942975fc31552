import json

import torch
from torch import nn


class Tokenizer:
    def __init__(self, vocab):
        self.vocab = vocab

    @classmethod
    def from_json(cls, text):
        return cls(json.loads(text))

    def __call__(self, texts, length=8):
        ids = [[self.vocab.get(w, 1) for w in t.split()][:length] for t in texts]
        ids = [row + [0] * (length - len(row)) for row in ids]
        return torch.tensor(ids, dtype=torch.int16)


class Encoder(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.embed = nn.Embedding(n, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, ids):
        _, h = self.rnn(self.embed(ids))
        return h[-1]


tok = Tokenizer.from_json('{"a": 2, "b": 3}')
print(Encoder(10, 4)(tok(["a b", "b"])))
