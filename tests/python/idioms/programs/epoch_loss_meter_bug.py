import torch
from torch import nn


class Meter:
    def __init__(self, device, dtype):
        self.sum = torch.zeros((), device=device, dtype=dtype)
        self.n = 0

    def update(self, value):
        self.sum += value
        self.n += 1

    @property
    def mean(self):
        return (self.sum / max(self.n, 1)).item()


def run(steps=5000):
    net = nn.Linear(32, 10).to(torch.bfloat16)
    meter = Meter("cpu", torch.bfloat16)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        x = torch.randn(8, 32, dtype=torch.bfloat16)
        y = torch.randint(0, 10, (8,))
        loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss.detach())
    return meter.mean


print(run())
