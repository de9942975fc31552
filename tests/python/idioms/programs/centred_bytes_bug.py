import torch
from torch import nn


class Preprocess(nn.Module):
    def forward(self, frames):
        centred = frames - 128
        return centred.float() / 128


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.pre = Preprocess()
        self.conv = nn.Conv2d(4, 8, 3)

    def forward(self, obs):
        x = self.pre(obs)
        return self.conv(x), x


def main():
    torch.manual_seed(0)
    obs = torch.randint(0, 256, (2, 4, 16, 16), dtype=torch.uint8)
    _, x = Policy()(obs)
    print(x.min().item(), x.max().item())


main()
