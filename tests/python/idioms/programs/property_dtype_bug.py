import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.conv = nn.Conv1d(3, width, 3, padding=1)
        self.head = nn.Linear(width, 5)

    @property
    def dtype(self):
        return self.conv.weight.dtype

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, x):
        x = x.to(self.device)
        h = self.conv(x)
        return self.head(h.mean(-1))


enc = Encoder().cuda().half()
batch = torch.randn(2, 3, 50)
print(enc(batch).dtype)
