import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, d=32, h=4):
        super().__init__()
        self.scale = (d // h) ** -0.5
        self.q = nn.Linear(d, d)
        self.k = nn.Linear(d, d)

    def forward(self, x):
        s = self.q(x) @ self.k(x).transpose(-1, -2) * self.scale
        bias = torch.zeros(s.shape[-2:], device=x.device, dtype=x.dtype).masked_fill(
            torch.ones(s.shape[-2:], device=x.device, dtype=torch.bool).triu(1), float("-inf"))
        return torch.softmax(s + bias, -1)


dec = Decoder().bfloat16().cuda()
print(dec(torch.randn(1, 6, 32, device="cuda", dtype=torch.bfloat16)).dtype)
