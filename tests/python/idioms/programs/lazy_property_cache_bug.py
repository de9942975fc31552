import functools

import torch
import torch.nn as nn


class Grid(nn.Module):
    def __init__(self, size, out):
        super().__init__()
        self.size = size
        self.fc = nn.Linear(2, out)

    @functools.cached_property
    def coords(self):
        axis = torch.linspace(-1, 1, self.size)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        return torch.stack([xx, yy], -1).reshape(-1, 2)

    def forward(self):
        return self.fc(self.coords)


class Field(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.grid = Grid(n, 8)
        self.rgb = nn.Linear(8, 3)

    def render(self):
        return torch.sigmoid(self.rgb(torch.sin(self.grid())))


field = Field(4).cuda()
img = field.render()
print(img.shape)
