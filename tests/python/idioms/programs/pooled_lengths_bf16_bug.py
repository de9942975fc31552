import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)

    def forward(self, tokens, mask):
        h = self.proj(tokens)
        m = mask.unsqueeze(-1).to(h.dtype)
        total = m.sum(dim=1)
        return (h.float() * m).sum(dim=1) / total.clamp(min=1)


pool = Pooler(8).bfloat16()
tokens = torch.randn(2, 1500, 8).bfloat16()
mask = torch.ones(2, 1500, dtype=torch.bool)
print(pool(tokens, mask).shape)
