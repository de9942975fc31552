import torch
import torch.nn as nn


class KVCache:
    def __init__(self, batch, heads, max_len, dim, device=None, dtype=None):
        self.k = torch.zeros(batch, heads, max_len, dim, device=device, dtype=dtype)
        self.v = torch.zeros_like(self.k)
        self.pos = 0

    def append(self, k, v):
        n = k.size(2)
        self.k[:, :, self.pos : self.pos + n] = k
        self.v[:, :, self.pos : self.pos + n] = v
        self.pos += n
        return self.k[:, :, : self.pos], self.v[:, :, : self.pos]


class Attn(nn.Module):
    def __init__(self, d=8, h=2):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)

    def forward(self, x, cache=None):
        b, n, d = x.shape
        q, k, v = [t.view(b, n, self.h, -1).transpose(1, 2) for t in self.qkv(x).split(d, dim=-1)]
        if cache is not None:
            k, v = cache.append(k, v)
        w = torch.matmul(q, k.transpose(2, 3)).softmax(-1)
        return self.o((w @ v).transpose(1, 2).reshape(b, n, d))


@torch.no_grad()
def decode(attn, steps=3):
    p = next(attn.parameters())
    cache = KVCache(1, 2, 16, 4, device=p.device)
    x = torch.randn(1, 1, 8, device=p.device, dtype=p.dtype)
    for _ in range(steps):
        x = attn(x, cache=cache)
    return x


print(decode(Attn().to(torch.bfloat16)).shape)
