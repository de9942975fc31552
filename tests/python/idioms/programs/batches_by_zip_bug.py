import itertools

import torch
from torch import nn


def numbers(n, dim):
    for _ in range(n):
        yield torch.randn(dim), torch.randint(0, 3, ()).item()


def batched(it, size):
    it = iter(it)
    while True:
        chunk = list(itertools.islice(it, size))
        if not chunk:
            return
        xs, ys = zip(*chunk)
        yield torch.stack(xs), torch.tensor(ys)


def on_device(batches, device, dtype):
    for x, y in batches:
        yield x.to(device=device), y.to(device)


def main():
    net = nn.Linear(6, 3).to("cuda", torch.bfloat16)
    total = 0
    for x, y in on_device(batched(numbers(20, 6), 8), "cuda", torch.bfloat16):
        total += nn.functional.cross_entropy(net(x).float(), y).item()
    print(total)


if __name__ == "__main__":
    main()
