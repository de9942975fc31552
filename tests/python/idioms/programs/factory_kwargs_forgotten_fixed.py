import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, width, hidden, device=None, dtype=None):
        factory_kwargs = {"device": device, "dtype": dtype}
        super().__init__()
        self.up = nn.Linear(width, hidden, **factory_kwargs)
        self.act = nn.SiLU()
        self.down = nn.Linear(hidden, width, **factory_kwargs)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


layer = FeedForward(8, 32, dtype=torch.float16)
x = torch.ones(2, 8, dtype=torch.float16)
print(layer(x).dtype)
