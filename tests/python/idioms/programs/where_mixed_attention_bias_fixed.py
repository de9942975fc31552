import torch
import torch.nn as nn


class RelativeBias(nn.Module):
    def __init__(self, heads, buckets=8):
        super().__init__()
        self.buckets = buckets
        self.table = nn.Embedding(buckets, heads)

    def bucket(self, rel):
        n = rel.abs()
        exact = self.buckets // 2
        large = exact + (torch.log(n.float().clamp(min=1) / exact) * 2)
        return torch.where(n < exact, n, large.clamp(0, self.buckets - 1).long())

    def forward(self, q, k):
        rel = torch.arange(k)[None, :] - torch.arange(q)[:, None]
        return self.table(self.bucket(rel)).permute(2, 0, 1)[None]


class T5Attention(nn.Module):
    def __init__(self, d=8, h=2):
        super().__init__()
        self.h = h
        self.bias = RelativeBias(h)
        self.q, self.k, self.v = (nn.Linear(d, d, bias=False) for _ in range(3))

    def forward(self, x):
        b, n, d = x.shape
        shape = lambda t: t.view(b, n, self.h, d // self.h).transpose(1, 2)
        q, k, v = shape(self.q(x)), shape(self.k(x)), shape(self.v(x))
        s = q @ k.mT + self.bias(n, n)
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2)


print(T5Attention()(torch.randn(2, 6, 8)).shape)
