import torch
from torch import nn


class Registered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])
        self.first = nn.Linear(8, 8)
        self.last = nn.Linear(8, 8)
        self.ends = [self.first, self.last]  # registered under their own names
        self.teacher = [nn.Linear(8, 8)]  # kept without being registered
        self.activations = [nn.ReLU(), nn.GELU()]  # without tensors
        self.sizes = [8, 8, 8]


# Its own way to move what it holds.
class Moves(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]

    def _apply(self, fn, recurse=True):
        super()._apply(fn)
        for layer in self.layers:
            layer._apply(fn)
        return self


# Nobody moves it, or asks for its parameters.
class Still(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]


# No module.
class Holder:
    def __init__(self):
        self.layers = [nn.Linear(8, 8), nn.Linear(8, 8)]


model = Registered().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
moves = Moves().half()
still = Still()
holder = Holder()
