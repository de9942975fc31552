import numpy as np
import torch
import torch.nn as nn


class TripletSampler:
    def __init__(self, embeddings: np.ndarray, labels: np.ndarray, seed=0):
        self.emb, self.labels = embeddings, labels
        self.rng = np.random.default_rng(seed)

    def __iter__(self):
        return self

    def __next__(self):
        a = self.rng.integers(len(self.labels))
        pos = self.rng.choice(np.flatnonzero(self.labels == self.labels[a]))
        neg = self.rng.choice(np.flatnonzero(self.labels != self.labels[a]))
        return tuple(torch.as_tensor(self.emb[i]) for i in (a, pos, neg))


class Projector(nn.Module):
    def __init__(self, d, out):
        super().__init__()
        self.p = nn.Linear(d, out)

    def forward(self, x):
        return nn.functional.normalize(self.p(x), dim=-1)


def main():
    emb = np.random.rand(30, 6)
    labels = np.arange(30) % 3
    sampler = TripletSampler(emb, labels)
    net = Projector(6, 4)
    crit = nn.TripletMarginLoss(margin=0.3)
    opt = torch.optim.Adam(net.parameters())
    for step, (a, p, n) in zip(range(4), sampler):
        loss = crit(net(a[None]), net(p[None]), net(n[None]))
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
