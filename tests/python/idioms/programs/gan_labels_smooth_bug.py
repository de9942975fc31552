import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--nz", type=int, default=8)
parser.add_argument("--iters", type=int, default=2)
parser.add_argument("--cuda", action="store_true")
opt = parser.parse_args()

device = torch.device("cuda:0" if opt.cuda else "cpu")


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Linear") != -1:
        nn.init.normal_(m.weight, 0.0, 0.02)
        nn.init.zeros_(m.bias)


class G(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(nz, 16), nn.ReLU(True), nn.Linear(16, 4), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1), nn.Sigmoid())

    def forward(self, x):
        return self.main(x).view(-1)


netG, netD = G(opt.nz).to(device), D().to(device)
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
real_label, fake_label = 1, 0

for i in range(opt.iters):
    netD.zero_grad()
    real = torch.rand(6, 4, device=device)
    label = torch.full((6,), real_label, device=device)
    errD_real = criterion(netD(real), label)
    errD_real.backward()
    noise = torch.randn(6, opt.nz, device=device)
    fake = netG(noise)
    label.fill_(fake_label)
    errD_fake = criterion(netD(fake.detach()), label)
    errD_fake.backward()
    optD.step()
    netG.zero_grad()
    label.fill_(real_label)
    errG = criterion(netD(fake), label)
    errG.backward()
    optG.step()
