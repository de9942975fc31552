import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads, **factory_kwargs):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, **factory_kwargs)
        self.out = nn.Linear(dim, dim, **factory_kwargs)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        a = torch.softmax(q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5, -1)
        return self.out((a @ v).transpose(1, 2).reshape(b, t, d))


class Layer(nn.Module):
    def __init__(self, dim, heads=2, **kwargs):
        super().__init__()
        self.attn = Attention(dim, heads, **kwargs)
        self.mlp = nn.Sequential(nn.Linear(dim, dim, **kwargs), nn.ReLU())

    def forward(self, *args, **kwargs):
        return self.mlp(self.attn(*args, **kwargs))


layer = Layer(16, dtype=torch.float64)
print(layer(torch.randn(2, 6, 16, dtype=torch.float64)))
