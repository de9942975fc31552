import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.proj = nn.Linear(size, size)
        self._scale = None

    @property
    def scale(self):
        if self._scale is None:
            self._scale = torch.ones(8, dtype=torch.float64)
        return self._scale

    @scale.setter
    def scale(self, value):
        self._scale = value

    def forward(self, x):
        return self.proj(x * self.scale)


model = Encoder(8)
print(model(torch.randn(2, 8)).shape)
