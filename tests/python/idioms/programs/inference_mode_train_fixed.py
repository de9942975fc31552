import torch
from torch import nn

backbone = nn.Linear(6, 6)
head = nn.Linear(6, 2)


def features(x):
    with torch.no_grad():
        return torch.relu(backbone(x))


x = torch.randn(4, 6)
f = features(x)
out = head(f)
out.sum().backward()
print(head.weight.grad.shape)
