from functools import partial

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

make_labels = partial(torch.zeros, dtype=torch.int32)
make_inputs = partial(torch.randn, 16)


class Toy(Dataset):
    def __init__(self, n, positive=0.5):
        self.n = n
        self.labels = make_labels(n)
        self.labels[: int(n * positive)] = 1

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return {"x": make_inputs(), "y": self.labels[i]}


class Step:
    def __init__(self, net, loss_fn):
        self.net, self.loss_fn = net, loss_fn

    def __call__(self, batch):
        logits = self.net(batch["x"])
        return self.loss_fn(logits, batch["y"])


def main():
    step = Step(nn.Linear(16, 2), nn.CrossEntropyLoss(label_smoothing=0.1))
    for batch in DataLoader(Toy(64), batch_size=8):
        step(batch).backward()


main()
