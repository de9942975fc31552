import torch
from torch import nn

MASKED = torch.finfo(torch.float32).min


def extended_mask(mask, dtype):
    inverted = 1.0 - mask[:, None, None, :].to(dtype)
    return inverted * MASKED


class Attention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.q, self.k = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).transpose(-1, -2) / 4
        bias = extended_mask(mask, scores.dtype)[:, 0]
        return (scores + bias).softmax(-1)


layer = Attention().to(torch.bfloat16)
mask = torch.tensor([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]])
print(layer(torch.randn(2, 5, 16, dtype=torch.bfloat16), mask))
