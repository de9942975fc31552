import torch
import torch.nn as nn


def make(*dims):
    layers = [m for a, b in zip(dims, dims[1:]) for m in (nn.Linear(a, b), nn.LeakyReLU(0.2))]
    return nn.Sequential(*layers[:-1])


class GAN:
    def __init__(self, z=4, dim=8):
        self.z = z
        self.G, self.D = make(z, 16, dim), make(dim, 16, 1)
        self.opt = {k: torch.optim.Adam(m.parameters(), lr=1e-3) for k, m in (("g", self.G), ("d", self.D))}
        self.bce = nn.BCEWithLogitsLoss()

    def step_d(self, real, fake):
        loss = self.bce(self.D(real), torch.ones(len(real), 1)) + self.bce(self.D(fake), torch.zeros(len(fake), 1))
        self._apply("d", loss)
        return loss.item()

    def step_g(self, fake):
        loss = self.bce(self.D(fake), torch.ones(len(fake), 1))
        self._apply("g", loss)
        return loss.item()

    def _apply(self, key, loss):
        self.opt[key].zero_grad()
        loss.backward()
        self.opt[key].step()

    def train_batch(self, real):
        fake = self.G(torch.randn(len(real), self.z))
        d = self.step_d(real, fake.detach())
        g = self.step_g(fake)
        return d, g


if __name__ == "__main__":
    torch.manual_seed(0)
    gan = GAN()
    for _ in range(2):
        print(gan.train_batch(torch.randn(4, 8)))
