import torch
import torch.nn as nn
import torch.nn.functional as F


class Expert(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w1 = nn.Linear(dim, 2 * dim, bias=False)
        self.w2 = nn.Linear(2 * dim, dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)))


class MoE(nn.Module):
    def __init__(self, dim, n_experts=4, k=2):
        super().__init__()
        self.k = k
        self.gate = nn.Linear(dim, n_experts, bias=False)
        self.experts = nn.ModuleList(Expert(dim) for _ in range(n_experts))

    def forward(self, x):
        flat = x.view(-1, x.shape[-1])
        probs = F.softmax(self.gate(flat), dim=1, dtype=torch.float)
        weights, chosen = torch.topk(probs, self.k, dim=-1)
        weights = weights.to(flat.dtype)
        out = torch.zeros_like(flat)
        for i, expert in enumerate(self.experts):
            rows, slot = torch.where(chosen == i)
            y = expert(flat[rows])
            out.index_add_(0, rows, y * weights[rows, slot, None].to(y.dtype))
        return out.view_as(x)


layer = MoE(8).to(torch.bfloat16)
print(layer(torch.randn(2, 3, 8, dtype=torch.bfloat16)).dtype)
