import torch
from torch import nn


class Base(nn.Module):
    @property
    def device(self):
        return next(self.parameters()).device

    @property
    def dtype(self):
        return next(self.parameters()).dtype


class Sampler(Base):
    def __init__(self, dim=8):
        super().__init__()
        self.net = nn.Linear(dim, dim)

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, 8, device=self.device)
        for _ in range(3):
            x = x - 0.1 * self.net(x)
        return x


sampler = Sampler().to(torch.bfloat16)
print(sampler.sample(4).dtype)
