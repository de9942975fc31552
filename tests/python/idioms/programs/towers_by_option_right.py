import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--towers", type=int, default=2)
args = parser.parse_args()


class Towers(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.towers = nn.ModuleList()
        for _ in range(n):
            self.towers.append(nn.Sequential(nn.Linear(4, 4), nn.Tanh()))
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        for t in self.towers:
            x = t(x)
        return self.out(x)


model = Towers(args.towers)

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
