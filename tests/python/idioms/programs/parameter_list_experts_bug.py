import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.weights = nn.ParameterList([nn.Parameter(torch.randn(d, d) / d) for _ in range(n)])
        self.router = nn.Linear(d, n)
        self.scale = torch.full((n,), 0.5)

    def forward(self, x):
        probs = self.router(x).softmax(-1)
        probs = probs * self.scale
        out = torch.zeros_like(x)
        for i, w in enumerate(self.weights):
            out = out + probs[:, i:i + 1] * (x @ w)
        return out


moe = Experts(3, 8).cuda()
print(moe(torch.randn(5, 8).cuda()).shape)
