import torch
from torch import nn


class GAN:
    def __init__(self, device, z=8):
        self.device, self.z = device, z
        self.g = nn.Sequential(nn.Linear(z, 16), nn.ReLU(), nn.Linear(16, 4)).to(device)
        self.d = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)).to(device)
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=2e-4)
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=2e-4)
        self.criterion = nn.BCEWithLogitsLoss()

    def labels(self, n, real):
        return torch.full((n,), 1.0 if real else 0.0, device=self.device)

    def step(self, real):
        n = real.size(0)
        fake = self.g(torch.randn(n, self.z, device=self.device))
        loss_d = self.criterion(self.d(real).squeeze(1), self.labels(n, True))
        loss_d = loss_d + self.criterion(self.d(fake.detach()).squeeze(1), self.labels(n, False))
        self.opt_d.zero_grad()
        loss_d.backward()
        self.opt_d.step()
        loss_g = self.criterion(self.d(fake).squeeze(1), self.labels(n, True))
        self.opt_g.zero_grad()
        loss_g.backward()
        self.opt_g.step()
        return loss_d.item(), loss_g.item()


gan = GAN(torch.device("cpu"))
for _ in range(2):
    print(gan.step(torch.randn(8, 4)))
