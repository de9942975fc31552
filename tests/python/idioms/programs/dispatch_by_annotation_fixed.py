import functools

import numpy as np
import torch
from torch import nn


@functools.singledispatch
def as_input(x):
    raise TypeError(type(x))


@as_input.register
def _(x: torch.Tensor):
    return x


@as_input.register
def _(x: np.ndarray):
    return torch.from_numpy(x).float()


@as_input.register
def _(x: list):
    return torch.tensor(x)


model = nn.Linear(3, 1)
for value in ([1.0, 2.0, 3.0], torch.ones(3), np.ones(3)):
    print(model(as_input(value)).item())
