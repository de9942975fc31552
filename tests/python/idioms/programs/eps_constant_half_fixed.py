import torch
from torch import nn

EPS = 1e-8


class CosineHead(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, d))

    def forward(self, x):
        x = torch.nn.functional.normalize(x.float(), dim=-1).to(x.dtype)
        w = torch.nn.functional.normalize(self.w.float(), dim=-1).to(x.dtype)
        return x @ w.t()


head = CosineHead(16, 4).half().cuda()
print(head(torch.randn(2, 16).half().cuda()))
