import torch
from torch import nn


class VAE(nn.Module):
    def __init__(self, dim=16, latent=4):
        super().__init__()
        self.latent = latent
        self.encode = nn.Linear(dim, 2 * latent)
        self.decode = nn.Sequential(nn.Linear(latent, dim), nn.Sigmoid())

    def reparameterise(self, mu, logvar):
        noise = torch.randn_like(mu)
        return mu + noise * (0.5 * logvar).exp()

    def forward(self, x):
        mu, logvar = self.encode(x).chunk(2, dim=-1)
        return self.decode(self.reparameterise(mu, logvar)), mu, logvar


vae = VAE().to(torch.bfloat16)
out, mu, logvar = vae(torch.rand(3, 16).to(torch.bfloat16))
print(out.shape)
