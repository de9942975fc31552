import copy

import torch
from torch import nn


class Averager:
    def __init__(self, model, decay=0.99):
        self.model = copy.deepcopy(model).eval()
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        new = model.state_dict()
        for k, v in self.model.state_dict().items():
            v.mul_(self.decay).add_((1 - self.decay) * new[k])


def net():
    return nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 2))


def main():
    model = net()
    ema = Averager(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.randn(2, 1, 8, 8)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(model)


main()
