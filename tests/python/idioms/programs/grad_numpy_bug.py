import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
grid = torch.stack(torch.meshgrid(torch.linspace(0, 1, 5), torch.linspace(0, 1, 5), indexing="ij"), -1)
z = net(grid.view(-1, 2))
values = z.numpy().reshape(5, 5)
print(values.max())
