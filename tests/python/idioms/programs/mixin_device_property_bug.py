import torch
import torch.nn as nn


class DeviceMixin:
    @property
    def device(self):
        return next(self.parameters()).device

    @property
    def dtype(self):
        return next(iter(self.parameters())).dtype


class SaveMixin:
    def export(self):
        return {k: v.cpu() for k, v in self.state_dict().items()}


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))

    def forward(self, t):
        half = self.dim // 2
        freqs = torch.exp(-torch.arange(half, device=t.device) * (9.2 / half))
        args = t[:, None].float() * freqs[None]
        emb = torch.cat([args.cos(), args.sin()], dim=-1)
        return self.mlp(emb)


class Unet(DeviceMixin, SaveMixin, nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.time = TimeEmbedding(dim)
        self.inp = nn.Conv2d(3, dim, 3, padding=1)
        self.out = nn.Conv2d(dim, 3, 3, padding=1)

    def forward(self, x, t):
        emb = self.time(t)
        h = self.inp(x) + emb[:, :, None, None]
        return self.out(torch.nn.functional.silu(h))


@torch.no_grad()
def sample(model, n=2, steps=3):
    x = torch.randn(n, 3, 8, 8, device=model.device, dtype=model.dtype)
    for i in reversed(range(steps)):
        t = torch.full((n,), i, device=model.device, dtype=torch.long)
        x = x - 0.1 * model(x, t)
    return x


unet = Unet().double()
print(sample(unet).shape)
