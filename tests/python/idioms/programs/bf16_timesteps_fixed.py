import torch
from torch import nn


def timestep_embedding(t, dim, max_period=10000):
    half = dim // 2
    freqs = torch.exp(-torch.log(torch.tensor(float(max_period))) * torch.arange(half) / half)
    args = t[:, None].float() * freqs[None]
    return torch.cat([torch.cos(args), torch.sin(args)], dim=-1)


class Denoiser(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.dim = dim
        self.time = nn.Linear(dim, dim)
        self.net = nn.Linear(dim, dim)

    def forward(self, x, t):
        emb = timestep_embedding(t, self.dim).to(x.dtype)
        return self.net(x + self.time(emb))


model = Denoiser().to(torch.bfloat16)
timesteps = torch.arange(999, -1, -20)
x = torch.randn(1, 32, dtype=torch.bfloat16)
with torch.no_grad():
    for t in timesteps:
        x = x - 0.1 * model(x, t.reshape(1))
print(x.shape)
