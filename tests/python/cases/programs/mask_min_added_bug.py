import torch
from torch import nn


def create_adder(mask, dtype):
    return (1.0 - mask.to(dtype)) * torch.finfo(dtype).min


class Softmax(nn.Module):
    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, inputs, mask=None):
        if mask is not None:
            inputs = inputs + create_adder(mask, inputs.dtype)
        return torch.softmax(inputs, dim=self.dim)


class Attention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.softmax = Softmax()

    def forward(self, x, mask):
        q = self.q(x)
        return self.softmax(q @ x.transpose(1, 2), mask) @ x


layer = Attention(8).half().cuda()
x = torch.randn(2, 4, 8).half().cuda()
mask = torch.tensor([[[1, 1, 1, 0]], [[0, 0, 0, 0]]]).cuda()
print(layer(x, mask).isnan().any())
