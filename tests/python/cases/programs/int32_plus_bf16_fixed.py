import torch
from torch import nn


class RelativePosition(nn.Module):
    def __init__(self, max_len):
        super().__init__()
        self.max_len = max_len
        self.register_buffer("offset", torch.zeros(1, dtype=torch.bfloat16))

    def forward(self, length):
        steps = torch.arange(length, dtype=torch.int32)
        return steps + self.offset.float()


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.position = RelativePosition(4096)
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        pos = self.position(x.shape[0])
        return x + torch.sin(pos.float() / 100) * self.scale


print(Decoder()(torch.randn(1024)).sum())
