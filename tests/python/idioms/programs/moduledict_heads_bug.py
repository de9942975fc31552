import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Linear(8, 16)
        self.heads = nn.ModuleDict({name: nn.Linear(16, n) for name, n in tasks.items()})

    def forward(self, x):
        h = torch.relu(self.trunk(x))
        return {name: head(h) for name, head in self.heads.items()}


model = MultiTask({"a": 2, "b": 3})
model.half()
model.heads["b"] = nn.Linear(16, 5)
x = torch.randn(4, 8).half()
print({k: v.shape for k, v in model(x).items()})
