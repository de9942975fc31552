import torch
from torch import nn


class KVCache:
    def __init__(self, batch, heads, length, dim, device, dtype=torch.float32):
        self.k = torch.zeros(batch, heads, length, dim, device=device, dtype=dtype)
        self.v = torch.zeros_like(self.k)
        self.pos = 0

    def update(self, k, v):
        idx = torch.arange(self.pos, self.pos + k.size(2), device=k.device)
        self.k.index_copy_(2, idx, k)
        self.v.index_copy_(2, idx, v)
        self.pos += k.size(2)
        return self.k[:, :, :self.pos], self.v[:, :, :self.pos]


class CausalAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)

    def forward(self, x, cache):
        b, t, c = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q, k, v = (z.view(b, t, self.heads, c // self.heads).transpose(1, 2) for z in (q, k, v))
        k, v = cache.update(k, v)
        return nn.functional.scaled_dot_product_attention(q, k, v)


attn = CausalAttention(32, 4).half().cuda()
cache = KVCache(1, 4, 64, 8, "cuda", dtype=torch.float16)
with torch.no_grad():
    for _ in range(4):
        y = attn(torch.randn(1, 1, 32, device="cuda", dtype=torch.half), cache)
print(y.shape)
