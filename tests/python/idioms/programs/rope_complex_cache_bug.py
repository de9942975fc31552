import torch
import torch.nn as nn


def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: dim // 2].float() / dim))
    t = torch.arange(end, dtype=torch.float32)
    freqs = torch.outer(t, freqs)
    return torch.polar(torch.ones_like(freqs), freqs)


def apply_rotary(x, freqs_cis):
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    out = torch.view_as_real(xc * freqs_cis[None, : x.shape[1], None, :]).flatten(3)
    return out


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.hd = heads, dim // heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim, bias=False)
        self.wv = nn.Linear(dim, dim, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def forward(self, x, freqs_cis):
        b, t, _ = x.shape
        q, k, v = (w(x).view(b, t, self.heads, self.hd) for w in (self.wq, self.wk, self.wv))
        q, k = apply_rotary(q, freqs_cis), apply_rotary(k, freqs_cis)
        q, k, v = (m.transpose(1, 2) for m in (q, k, v))
        att = (q @ k.transpose(-2, -1)) / self.hd**0.5
        att = att.softmax(-1)
        y = (att @ v).transpose(1, 2).reshape(b, t, -1)
        return self.wo(y)


attn = SelfAttention(16, 2).to(torch.bfloat16)
cis = precompute_freqs_cis(8, 32)
print(attn(torch.randn(2, 6, 16, dtype=torch.bfloat16), cis).dtype)
