import numpy as np
import torch
from torch import nn


class UniformSampler:
    def __init__(self, steps):
        self.steps = steps
        self.weights = np.ones(steps)

    def sample(self, batch_size):
        p = self.weights / self.weights.sum()
        idx = np.random.choice(self.steps, size=(batch_size,), p=p)
        weights = 1 / (self.steps * p[idx])
        return torch.from_numpy(idx).long(), torch.from_numpy(weights).float()


class Denoiser(nn.Module):
    def __init__(self, steps=100, dim=8):
        super().__init__()
        self.t_emb = nn.Embedding(steps, dim)
        self.net = nn.Linear(dim, dim)

    def forward(self, x, t):
        return self.net(x + self.t_emb(t))


device = torch.device("cuda")
model = Denoiser().to(device)
sampler = UniformSampler(100)
for step in range(2):
    batch = torch.randn(4, 8, device=device)
    t, weights = sampler.sample(4)
    t = t.to(batch.device)
    weights = weights.to(batch.device)
    loss = ((model(batch, t) - batch) ** 2).mean(dim=1) * weights
    loss.mean().backward()
