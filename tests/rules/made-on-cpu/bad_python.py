# Functions that nobody here calls: a tensor may be passed on a GPU.
import torch
from torch import Tensor


def positions(x: Tensor, count: int) -> Tensor:
    return x + torch.arange(count)  # expect: made-on-cpu warning


def shifted(x: "torch.Tensor") -> Tensor:
    first = torch.zeros(1)
    return torch.cat((first, (x * 2).reshape(-1)))  # expect: made-on-cpu warning


class Faded(torch.nn.Module):
    def __init__(self, count: int):
        super().__init__()
        self.linear = torch.nn.Linear(count, count)

    def forward(self, x: Tensor) -> Tensor:
        fade = torch.linspace(0, 1, x.size(-1))
        return self.linear(x) * fade  # expect: made-on-cpu warning
