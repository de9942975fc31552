import torch


class RotaryEmbedding:
    def __init__(self, dim, max_pos=8192, base=10000.0, device="cuda", dtype=torch.float16):
        inv_freq = 1.0 / base ** (torch.arange(0, dim, 2, device=device).float() / dim)
        t = torch.arange(max_pos, device=device, dtype=torch.float32)
        freqs = torch.outer(t, inv_freq)
        self.cos = freqs.cos().to(dtype)
        self.sin = freqs.sin().to(dtype)

    def __call__(self, x):
        t = x.shape[-2]
        x1, x2 = x.chunk(2, dim=-1)
        cos, sin = self.cos[:t], self.sin[:t]
        return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


rope = RotaryEmbedding(64)
q = torch.randn(1, 8, 4096, 64, device="cuda", dtype=torch.float16)
print(rope(q).dtype)
