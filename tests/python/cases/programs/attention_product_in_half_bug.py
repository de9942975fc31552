import torch
from torch import nn


def attention_scores(q, k):
    return (q.unsqueeze(2) * k.unsqueeze(1)).sum(dim=-1)


class PhiAttention(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.dim = dim
        self.wq = nn.Linear(dim, dim)
        self.wk = nn.Linear(dim, dim)
        self.wv = nn.Linear(dim, dim)

    def forward(self, x):
        q, k, v = self.wq(x), self.wk(x), self.wv(x)
        scores = attention_scores(q, k) * self.dim ** -0.5
        probs = torch.softmax(scores.float(), dim=-1)
        return torch.matmul(probs.to(v.dtype), v)


class Model(nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.layers = nn.ModuleList([PhiAttention() for _ in range(n)])

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


model = Model().to(device="cuda", dtype=torch.float16)
print(model(torch.randn(1, 6, 32, device="cuda", dtype=torch.float16) * 300).isnan().any())
