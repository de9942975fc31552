import torch
from torch import nn

EPS = 1e-8


class CosineHead(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, d))

    def forward(self, x):
        x = x / (x.norm(dim=-1, keepdim=True) + EPS)
        w = self.w / (self.w.norm(dim=-1, keepdim=True) + EPS)
        return x @ w.t()


head = CosineHead(16, 4).half().cuda()
print(head(torch.randn(2, 16).half().cuda()))
