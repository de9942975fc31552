import math

import torch
from torch import nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.head_dim = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, keep):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, self.head_dim).permute(2, 0, 3, 1, 4)
        scores = (q / math.sqrt(self.head_dim)) @ k.transpose(-2, -1)
        bias = (1.0 - keep[:, None, None, :].to(scores.dtype)) * -1e4
        attn = F.softmax(scores + bias, dim=-1)
        return self.out((attn @ v).transpose(1, 2).reshape(b, n, d))


layer = SelfAttention(32, 4).half().cuda()
x = torch.randn(2, 5, 32, device="cuda").half()
keep = torch.tensor([[1, 1, 1, 0, 0], [0, 0, 0, 0, 0]], device="cuda")
print(layer(x, keep).isnan().any())
