"""Distils a frozen text encoder into a small one."""
import torch
import torch.nn.functional as F
from torch import nn


def encoder(width, out=16):
    return nn.Sequential(nn.EmbeddingBag(300, width), nn.Linear(width, out))


def freeze(module):
    for parameter in module.parameters():
        parameter.requires_grad = False
    return module.eval()


class Distiller(nn.Module):
    def __init__(self):
        super().__init__()
        self.teacher = freeze(encoder(64))
        self.student = encoder(8)

    def forward(self, ids):
        return F.mse_loss(self.student(ids), self.teacher(ids))


distiller = Distiller()
optimizer = torch.optim.SGD(distiller.parameters(), lr=0.1)
before = [p.clone() for p in distiller.teacher.parameters()]
for _ in range(5):
    loss = distiller(torch.randint(300, (12, 6)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(any((a != b).any().item() for a, b in zip(before, distiller.teacher.parameters())))
