import torch
from torch import nn


def endless(batches):
    while True:
        for x in batches:
            yield x


model = nn.Linear(4, 2).double()
stream = endless([torch.randn(3, 4), torch.randn(3, 4)])
for step in range(5):
    x = next(stream)
    loss = model(x).sum()
    loss.backward()
