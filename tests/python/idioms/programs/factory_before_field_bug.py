# A field is given behind one whose default is made by a function.
from dataclasses import dataclass, field

import torch
from torch import nn


def names():
    return ["first"]


@dataclass
class Batch:
    names: list = field(default_factory=names)
    x: torch.Tensor = None


print(nn.Linear(4, 4)(Batch(x=torch.ones(2, 4, dtype=torch.float64)).x).sum())
