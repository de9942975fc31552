import torch
from torch import nn
import torch.nn.functional as F

from loader import get_model


def make_alibi_bias(slopes, length, dtype=None):
    bias = torch.arange(length)[None, None, :] - torch.arange(length)[None, :, None]
    out = torch.empty(1, len(slopes), length, length, dtype=dtype)
    out.copy_(bias[None] * slopes[None, :, None, None])
    return out


class AlibiAttention(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.register_buffer("slopes", torch.tensor([0.5, 0.25]))

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        bias = make_alibi_bias(self.slopes, n, q.dtype)
        scores = q @ k.transpose(-2, -1) + bias
        return torch.matmul(scores.softmax(dim=-1), v)


model = get_model(AlibiAttention, torch.bfloat16)
print(model(torch.randn(1, 4, 16, dtype=torch.bfloat16)).dtype)
