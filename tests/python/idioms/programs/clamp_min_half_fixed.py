import torch
from torch import nn


class CosineHead(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(classes, dim))

    def forward(self, x):
        n = x.pow(2).sum(-1, keepdim=True).sqrt().clamp(min=1e-6)
        w = self.weight / self.weight.norm(dim=1, keepdim=True)
        return (x / n) @ w.t()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 20), nn.ReLU())
        self.head = CosineHead(20, 3)

    def forward(self, x):
        return self.head(self.trunk(x))


net = Net().cuda()
net.half()
print(net(torch.zeros(2, 10, device="cuda", dtype=torch.half)))
