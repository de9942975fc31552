import torch
from torch import nn


def rot(x):
    return torch.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)


def apply_rot_embed(x, sin_emb, cos_emb):
    sin_emb, cos_emb = sin_emb.to(x.dtype), cos_emb.to(x.dtype)
    return x * cos_emb + rot(x) * sin_emb


class RotaryEmbedding:
    def __init__(self, dim, max_res=64):
        bands = torch.linspace(1.0, max_res / 2, dim // 2) * torch.pi
        self.bands = bands

    def get_embed(self, n):
        pos = torch.linspace(-1.0, 1.0, n)[:, None] * self.bands[None]
        emb = pos.repeat_interleave(2, -1)
        return emb.sin(), emb.cos()


class Attention(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.rope = RotaryEmbedding(dim)

    def forward(self, x):
        sin, cos = self.rope.get_embed(x.shape[1])
        return apply_rot_embed(self.q(x), sin, cos)


attn = Attention().to(torch.bfloat16)
print(attn(torch.randn(1, 8, 16).to(torch.bfloat16)).dtype)
