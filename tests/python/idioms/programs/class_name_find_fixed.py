import torch
from torch import nn


def keep_norms(m):
    name = m.__class__.__name__
    if name.find("LayerNorm") != -1:
        m.float()
    elif name.partition("inear")[0] == "L":
        m.double()


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.fc = nn.Linear(width, width)

    def forward(self, x):
        x = self.norm(x.float())
        return self.fc(x.double())


model = Block(8).double()
model.apply(keep_norms)
sizes = "3,8".strip().split(",", 1)
x = torch.rand(int(sizes[0]), int(sizes[1]), dtype=torch.float64)
print(model(x).sum().item())
