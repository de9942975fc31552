import math

import torch
import torch.nn as nn


class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half_dim = self.dim // 2
        emb = torch.tensor(math.log(10000) / (half_dim - 1), device=t.device)
        emb = torch.exp(torch.arange(half_dim, device=t.device) * -emb)
        emb = t[:, None] * emb[None, :]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class Denoiser(nn.Module):
    def __init__(self, channels=8, time_dim=16):
        super().__init__()
        self.time_mlp = nn.Sequential(SinusoidalPosEmb(time_dim), nn.Linear(time_dim, channels), nn.GELU())
        self.conv = nn.Conv1d(1, channels, 3, padding=1)
        self.out = nn.Conv1d(channels, 1, 3, padding=1)

    def forward(self, x, t):
        return self.out(torch.relu(self.conv(x) + self.time_mlp(t)[..., None]))


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=100):
        super().__init__()
        self.model, self.timesteps = model, timesteps
        betas = torch.linspace(1e-4, 0.02, timesteps)
        self.register_buffer("alphas_cumprod", torch.cumprod(1.0 - betas, dim=0))

    def forward(self, x):
        t = torch.randint(0, self.timesteps, (x.shape[0],), device=x.device)
        noise = torch.randn_like(x)
        a = self.alphas_cumprod[t].view(-1, 1, 1)
        return ((self.model(a.sqrt() * x + (1 - a).sqrt() * noise, t) - noise) ** 2).mean()


torch.manual_seed(0)
diffusion = GaussianDiffusion(Denoiser())
print(diffusion(torch.randn(4, 1, 32)).item())
print(SinusoidalPosEmb(8)(torch.tensor([1, 2])))
