import torch
from torch import nn


def mlp(*sizes, act=nn.ReLU):
    mods = []
    for i, (a, b) in enumerate(zip(sizes, sizes[1:])):
        mods.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            mods.append(act())
    return nn.Sequential(*mods)


class GAN:
    def __init__(self, z=8, device="cuda"):
        self.device = device
        self.z = z
        self.G = mlp(z, 32, 2).to(device)
        self.D = mlp(2, 32, 1, act=nn.Tanh).to(device)

    def noise(self, n):
        return torch.randn(n, self.z)

    def d_loss(self, real):
        fake = self.G(self.noise(len(real))).detach()
        bce = nn.functional.binary_cross_entropy_with_logits
        dr, df = self.D(real), self.D(fake)
        return bce(dr, torch.ones_like(dr)) + bce(df, torch.zeros_like(df))


gan = GAN()
opt = torch.optim.Adam(gan.D.parameters(), lr=2e-4)
loss = gan.d_loss(torch.randn(16, 2, device="cuda"))
loss.backward()
opt.step()
