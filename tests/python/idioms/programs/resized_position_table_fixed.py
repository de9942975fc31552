import torch
import torch.nn.functional as F
from torch import nn


class Patches(nn.Module):
    def __init__(self, dim=16, grid=4):
        super().__init__()
        self.proj = nn.Conv2d(3, dim, 4, stride=4)
        self.table = nn.Parameter(torch.zeros(1, grid * grid, dim))
        self.norm = nn.LayerNorm(dim)
        self.grid = grid

    def positions(self, h, w):
        if h * w == self.table.shape[1]:
            return self.table
        square = self.table.reshape(1, self.grid, self.grid, -1).permute(0, 3, 1, 2)
        square = F.interpolate(square.float(), size=(h, w), mode="bicubic")
        return square.flatten(2).transpose(1, 2).to(self.table.dtype)

    def forward(self, image):
        x = self.proj(image)
        h, w = x.shape[-2:]
        x = x.flatten(2).transpose(1, 2)
        return self.norm(x + self.positions(h, w))


net = Patches().bfloat16()
print(net(torch.rand(1, 3, 24, 24).bfloat16()).shape)
