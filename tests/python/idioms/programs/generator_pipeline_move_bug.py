import itertools

import torch
import torch.nn as nn


def source(n):
    for i in range(n):
        yield {"x": torch.randn(4, 6), "y": torch.randint(0, 3, (4,)), "meta": {"id": i}}


def to_device(stream, device, keys=("x",)):
    for batch in stream:
        yield {k: (v.to(device, non_blocking=True) if k in keys else v) for k, v in batch.items()}


def take(stream, n):
    return itertools.islice(stream, n)


def run(device):
    model = nn.Linear(6, 3).to(device)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    crit = nn.CrossEntropyLoss()
    stream = to_device(source(10), device)
    for batch in take(stream, 3):
        loss = crit(model(batch["x"]), batch["y"])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()


run(torch.device("cuda", 0))
