import random

import numpy as np
import torch
from torch import nn


class TfIdf:
    def __init__(self, documents):
        self.vocabulary = {w: i for i, w in enumerate(sorted({w for d in documents for w in d.split()}))}
        seen = np.zeros(len(self.vocabulary))
        for d in documents:
            for w in set(d.split()):
                seen[self.vocabulary[w]] += 1
        self.idf = np.log(len(documents) / seen) + 1

    def __call__(self, document):
        ids = [self.vocabulary[w] for w in document.split() if w in self.vocabulary]
        return torch.tensor(ids), torch.from_numpy(self.idf[ids])


class BagClassifier(nn.Module):
    def __init__(self, words, width=8, classes=2):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, width, mode="sum")
        self.head = nn.Linear(width, classes)

    def forward(self, ids, offsets, weights):
        return self.head(self.bag(ids, offsets, per_sample_weights=weights))


documents = ["good film", "bad film", "a good day", "a bad bad day", "film of the day"]
labels = torch.tensor([1, 0, 1, 0, 1])
encode = TfIdf(documents)
ids, weights = zip(*map(encode, documents))
offsets = torch.tensor([0] + [len(i) for i in ids[:-1]]).cumsum(0)
net = BagClassifier(len(encode.vocabulary))
logits = net(torch.cat(ids), offsets, torch.cat(weights))
loss = nn.functional.cross_entropy(logits, labels)
loss.backward()
print(random.random() < 2, loss.item())
