import random

import torch
from torch import nn


def shuffled(items, seed):
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    yield from (items[i] for i in order)


def grouped(stream, size):
    group = []
    for item in stream:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def batches(items, size, device, epochs):
    for epoch in range(epochs):
        for group in grouped(shuffled(items, epoch), size):
            xs, ys = zip(*group)
            yield torch.stack(xs).to(device), torch.tensor(ys)


def main():
    items = [(torch.randn(6), i % 3) for i in range(30)]
    net = nn.Linear(6, 3).to("cuda")
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in batches(items, 4, "cuda", 2):
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
