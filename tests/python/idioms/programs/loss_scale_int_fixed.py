import torch
from torch import nn


class KLAnnealer:
    """Weight of the KL term, grows each epoch."""

    def __init__(self, start, factor, device):
        self.weight = torch.tensor(start, device=device)
        self.factor = factor

    def step(self):
        self.weight *= self.factor
        return self.weight


class VAE(nn.Module):
    def __init__(self, d=16, z=4):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Linear(z, d)

    def forward(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def main():
    vae = VAE()
    opt = torch.optim.Adam(vae.parameters())
    anneal = KLAnnealer(1.0, 1.05, "cpu")
    for epoch in range(3):
        x = torch.randn(8, 16)
        out, mu, logvar = vae(x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(-1).mean()
        loss = nn.functional.mse_loss(out, x) + anneal.weight * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        anneal.step()


main()
