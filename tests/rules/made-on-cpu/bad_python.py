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


# Without annotations: what a method of a module uses as a tensor is one.
class Placed(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
        self.table = torch.randn(512, width)

    def forward(self, x):
        count = x.size(1)
        y = self.linear(x)
        return y + torch.arange(count).view(1, -1, 1)  # expect: made-on-cpu warning

    def from_table(self, x):
        return torch.relu(x) + self.table[: x.shape[1]]  # expect: device-mismatch warning

    def of_pairs(self, x):
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack((even, odd)) * torch.ones(2, 1)  # expect: made-on-cpu warning

    def of_rows(self, x):
        rows = x.view(-1, x.size(-1))
        return rows - torch.ones(1)  # expect: made-on-cpu warning
