import torch


def rotary(length, dim, dtype):
    t = torch.arange(length, device="cuda").to(dtype)
    freq = 1.0 / (10000 ** (torch.arange(0, dim, 2, device="cuda").to(dtype) / dim))
    angle = torch.outer(t, freq)
    return angle.cos(), angle.sin()


def apply(x, cos, sin):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


x = torch.randn(8192, 16, device="cuda", dtype=torch.float16)
cos, sin = rotary(8192, 16, torch.float16)
print(apply(x, cos, sin)[-1])
