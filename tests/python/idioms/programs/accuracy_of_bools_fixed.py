import torch
from torch import nn


def accuracy(logits, target):
    pred = logits.argmax(dim=1)
    return (pred == target).float().mean()


model = nn.Linear(6, 3)
x = torch.randn(10, 6)
y = torch.randint(0, 3, (10,))
print(f"accuracy {accuracy(model(x), y).item():.3f}")
