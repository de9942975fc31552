import torch
from torch import nn


class MultiHead(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Linear(8, 8)
        self.heads = nn.ModuleDict({name: nn.Linear(8, n) for name, n in tasks.items()})

    def forward(self, x, task):
        return self.heads[task](torch.relu(self.trunk(x)))


tasks = {"cls": 4, "reg": 1}
model = MultiHead(tasks)
losses = {"cls": nn.CrossEntropyLoss(), "reg": nn.MSELoss()}
batch = {
    "x": torch.randn(16, 8),
    "cls": torch.randint(0, 4, (16,)),
    "reg": torch.randn(16, 1),
}
total = 0
for name, fn in losses.items():
    total = total + fn(model(batch["x"], name), batch[name])
total.backward()
print(float(total))
