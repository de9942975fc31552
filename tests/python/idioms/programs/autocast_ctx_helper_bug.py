import argparse
import contextlib

import torch
import torch.nn as nn
import torch.nn.functional as F


def get_autocast(enabled, device_type="cpu", dtype=torch.bfloat16):
    if not enabled:
        return contextlib.nullcontext()
    return torch.autocast(device_type=device_type, dtype=dtype)


class VAE(nn.Module):
    def __init__(self, d=12, z=4):
        super().__init__()
        self.enc = nn.Linear(d, 2 * z)
        self.dec = nn.Linear(z, d)

    def encode(self, x):
        mu, logvar = self.enc(x).chunk(2, dim=-1)
        return mu, logvar

    def reparam(self, mu, logvar):
        return mu + torch.exp(0.5 * logvar) * torch.randn_like(mu)

    def decode(self, z):
        return self.dec(z)


def step(model, x, amp):
    with get_autocast(amp):
        mu, logvar = model.encode(x)
        z = model.reparam(mu, logvar)
    recon = model.decode(z)
    rec = F.mse_loss(recon, x)
    kl = -0.5 * torch.mean(1 + logvar.float() - mu.float().pow(2) - logvar.float().exp())
    return rec + kl


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--amp", action="store_true", default=True)
    a = p.parse_args()
    m = VAE()
    opt = torch.optim.Adam(m.parameters())
    for _ in range(2):
        opt.zero_grad()
        loss = step(m, torch.rand(6, 12), a.amp)
        loss.backward()
        opt.step()
