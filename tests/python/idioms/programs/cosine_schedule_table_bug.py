import argparse

import torch
import torch.nn as nn


def betas_for_alpha_bar(n, fn):
    out = []
    for i in range(n):
        t1, t2 = i / n, (i + 1) / n
        out.append(min(1 - fn(t2) / fn(t1), 0.999))
    return out


class GaussianDiffusion:
    def __init__(self, betas, device):
        self.device = device
        betas = torch.tensor(betas, dtype=torch.float64)
        alphas = 1.0 - betas
        self.alphas_cumprod = torch.cumprod(alphas, dim=0)
        self.sqrt_ac = self.alphas_cumprod.sqrt()
        self.sqrt_om = (1 - self.alphas_cumprod).sqrt()

    def _extract(self, table, t, shape):
        return table[t].view(-1, *([1] * (len(shape) - 1)))

    def q_sample(self, x0, t, noise=None):
        noise = torch.randn_like(x0) if noise is None else noise
        return self._extract(self.sqrt_ac, t, x0.shape) * x0 + self._extract(self.sqrt_om, t, x0.shape) * noise

    def loss(self, model, x0):
        t = torch.randint(0, len(self.sqrt_ac), (x0.size(0),), device=self.device)
        noise = torch.randn_like(x0)
        pred = model(self.q_sample(x0, t, noise), t)
        return (pred - noise).pow(2).mean()


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Embedding(50, 8)
        self.inp = nn.Linear(6, 8)
        self.out = nn.Linear(8, 6)

    def forward(self, x, t):
        return self.out(torch.relu(self.inp(x) + self.time(t)))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=50)
    args = p.parse_args()
    diff = GaussianDiffusion(betas_for_alpha_bar(args.steps, lambda t: 1 - 0.9 * t), "cpu")
    net = Denoiser()
    diff.loss(net, torch.randn(5, 6)).backward()
