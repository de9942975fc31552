import random
from typing import Dict, List, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset


class Example(NamedTuple):
    tokens: torch.Tensor
    label: float


class Reviews(Dataset):
    def __init__(self, n=32, vocab=50):
        rng = random.Random(0)
        self.rows = [
            Example(torch.tensor([rng.randrange(vocab) for _ in range(rng.randint(3, 9))]), float(rng.random() > 0.5))
            for _ in range(n)
        ]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch: List[Example]) -> Dict[str, torch.Tensor]:
    tokens = pad_sequence([b.tokens for b in batch], batch_first=True)
    labels = torch.tensor([int(b.label) for b in batch])
    return {"tokens": tokens, "labels": labels}


class Classifier(nn.Module):
    def __init__(self, vocab=50, dim=16):
        super().__init__()
        self.emb = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.out = nn.Linear(dim, 2)

    def forward(self, tokens):
        return self.out(self.emb(tokens))


def train():
    loader = DataLoader(Reviews(), batch_size=8, shuffle=True, collate_fn=collate)
    model = Classifier()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for batch in loader:
            logits = model(batch["tokens"])
            loss = F.nll_loss(F.log_softmax(logits, dim=-1), batch["labels"])
            opt.zero_grad()
            loss.backward()
            opt.step()


train()
