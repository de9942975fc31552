import torch
from torch import nn


class Experts(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.gate = nn.Linear(dim, n)
        self.experts = nn.ModuleDict({str(i): nn.Linear(dim, dim) for i in range(n)})

    def forward(self, x):
        weights = self.gate(x).softmax(-1)
        return sum(w.unsqueeze(-1) * e(x) for w, e in zip(weights.unbind(-1), self.experts.values()))


model = Experts(3, 8).to("cuda")
print(model(torch.randn(2, 8, device="cuda")).shape)
