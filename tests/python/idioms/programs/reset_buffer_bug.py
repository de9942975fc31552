import torch
from torch import nn


class RunningCenter(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
        self.register_buffer("center", torch.zeros(dim))

    def reset(self):
        self.center = torch.zeros(self.dim)

    def forward(self, x):
        return x - self.center


def main():
    net = nn.Sequential(nn.Linear(4, 8), RunningCenter(8)).cuda()
    for epoch in range(2):
        net[1].reset()
        for _ in range(3):
            net(torch.randn(2, 4, device="cuda"))


main()
