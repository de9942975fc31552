import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.scale = (dim // heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)

    def split(self, t):
        b, n, d = t.shape
        return t.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, x, context):
        q = self.split(self.to_q(x))
        k, v = map(self.split, self.to_kv(context).chunk(2, dim=-1))
        sim = torch.matmul(q, k.transpose(-1, -2)) * self.scale
        return torch.matmul(sim.softmax(dim=-1), v)


attention = CrossAttention(128).cuda().half()
x = torch.randn(1, 4, 128).cuda().half()
print(attention(x, x * 20).isnan().any())
