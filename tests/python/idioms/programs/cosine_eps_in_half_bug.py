import torch
import torch.nn.functional as F
from torch import nn


class Matcher(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.embed = nn.Linear(dim, dim, bias=False)

    def similarity(self, a, b):
        dot = (a * b).sum(-1)
        return dot / (a.norm(dim=-1) * b.norm(dim=-1) + 1e-8)

    def forward(self, query, items):
        return self.similarity(self.embed(query).unsqueeze(1), self.embed(items).unsqueeze(0))


matcher = Matcher().cuda().half()
q = torch.randn(4, 32, device="cuda", dtype=torch.float16)
print(matcher(q, torch.zeros(6, 32, device="cuda", dtype=torch.float16)))
