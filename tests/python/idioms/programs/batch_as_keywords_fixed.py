import random

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        return {"ids": [random.randrange(20) for _ in range(4)], "label": i % 3}


def collate(rows):
    return {
        "ids": torch.tensor([r["ids"] for r in rows]),
        "labels": torch.tensor([r["label"] for r in rows]),
    }


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(20, 8)
        self.head = nn.Linear(8, 3)

    def forward(self, ids, labels=None):
        logits = self.head(self.emb(ids).mean(1))
        return nn.functional.cross_entropy(logits, labels)


model = Tagger()
for batch in DataLoader(Rows(), batch_size=4, collate_fn=collate):
    model(**batch).backward()
