import torch
from torch import nn

from quant import quantize


class KVCache(nn.Module):
    def __init__(self, max_len, dim, dtype):
        super().__init__()
        self.register_buffer("k_cache", torch.zeros(1, max_len, dim, dtype=dtype))

    def update(self, pos, k):
        self.k_cache[:, pos] = k
        return self.k_cache


class Attention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.wk = nn.Linear(dim, dim, bias=False)
        self.cache = None

    def setup_cache(self, max_len, dtype):
        self.cache = KVCache(max_len, 16, dtype)

    def forward(self, x, pos):
        return self.cache.update(pos, self.wk(x))


attn = Attention().to(torch.bfloat16)
attn.setup_cache(32, torch.bfloat16)
attn = quantize(attn)
with torch.no_grad():
    print(attn(torch.randn(1, 3, 16).to(torch.bfloat16), torch.tensor([0, 1, 2])).dtype)
