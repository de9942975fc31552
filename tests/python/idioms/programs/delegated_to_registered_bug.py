"""A wrapper that passes on what it does not have is asked for a member of what it wraps."""
import torch
import torch.nn as nn


class Wrapper(nn.Module):
    def __init__(self, module):
        super().__init__()
        self.module = module

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("module"), name)

    def forward(self, x):
        return self.module(x)


class Scorer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.proj = nn.Linear(size, 2)

    def forward(self, x):
        return self.proj(x)


model = Wrapper(Scorer(8).double())
print(model(torch.randn(3, model.size)))
