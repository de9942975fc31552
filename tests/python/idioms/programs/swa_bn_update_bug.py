import copy

import torch
import torch.nn as nn


class WeightAverager:
    def __init__(self, model):
        self.n = 0
        self.avg = copy.deepcopy(model).double()

    @torch.no_grad()
    def update(self, model):
        self.n += 1
        for a, p in zip(self.avg.parameters(), model.parameters()):
            a.lerp_(p, 1.0 / self.n)

    def __call__(self, *args, **kw):
        return self.avg(*args, **kw)


def loader(n):
    for _ in range(n):
        yield torch.randn(8, 6), torch.randn(8, 1)


model = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 1))
avg = WeightAverager(model)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(3):
    for x, y in loader(4):
        opt.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        opt.step()
    avg.update(model)
print(avg(torch.randn(4, 6)).shape)
