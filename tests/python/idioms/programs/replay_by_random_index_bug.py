import torch
from torch import nn


class Memory:
    def __init__(self, capacity):
        self.items, self.capacity = [], capacity

    def add(self, x):
        if len(self.items) >= self.capacity:
            self.items.pop(0)
        self.items.append(x)

    def sample(self, n):
        index = torch.randperm(len(self.items))[:n].tolist()
        return torch.stack([self.items[i] for i in index])


memory = Memory(10)
net = nn.Linear(4, 2)
for step in range(30):
    memory.add(torch.randn(4).double())
    if step < 8:
        continue
    out = net(memory.sample(4))
print(out.sum().item())
