import torch
from torch import nn


class Appended(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.layers = []  # expect: unregistered-modules warning
        for _ in range(depth):
            self.layers.append(nn.Linear(8, 8))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return self.head(x)


class Keyed(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = {"a": nn.Linear(8, 2), "b": nn.Linear(8, 3)}  # expect: unregistered-modules warning

    def forward(self, x, task):
        return self.heads[task](x)


# In a module that another one registers.
class Outer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Keyed()


model = Appended()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
outer = Outer().half()
