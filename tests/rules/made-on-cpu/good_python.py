# Functions that nobody here calls, wherever their arguments are.
import torch
from torch import Tensor
from typing import Optional


def positions(x: Tensor, count: int) -> Tensor:
    return x + torch.arange(count, device=x.device)


def scaled(x: Tensor, channels: int) -> Tensor:
    most = torch.tensor(channels - 1.0, dtype=x.dtype)
    return torch.sign(x) * torch.log1p(most * torch.abs(x)) / torch.log1p(most)


def masked(x: Tensor) -> Tensor:
    ones = torch.ones(3)
    if x.is_cuda:
        ones = ones.cuda()
    return x * ones


def picked(x: Tensor) -> Tensor:
    return x[torch.arange(4)]


def on_the_host(x: Tensor):
    return x.numpy() + x.cpu() * torch.ones(3)


def weighted(x: Tensor, weight: Optional[Tensor] = None):
    if weight is None:
        weight = torch.ones(1, device=x.device)
    return x * weight


# Of a number it is not known that it is one.
def repeated(x, count):
    return x * torch.ones(count)


# Only dtypes that somebody passes matter.
def halved(x: Tensor) -> Tensor:
    mean = x if x.is_floating_point() else x + 1
    window = torch.hann_window(4, dtype=x.dtype, device=x.device)
    return mean.mean() * window


class Moved(torch.nn.Module):
    def __init__(self, count: int, mode: str = "linear"):
        super().__init__()
        if mode != "linear" and mode != "square":
            raise ValueError(mode)
        self.mode = mode
        self.linear = torch.nn.Linear(count, count)
        self.register_buffer("scale", torch.ones(count))

    def forward(self, x: Tensor) -> Tensor:
        y = torch.tensor([0])
        if self.mode == "linear":
            y = self.linear(x)
        elif self.mode == "square":
            y = self.linear(x) * 2
        return y * x * self.scale


# Without annotations, what is passed to a module is asked for its device before it is a tensor.
class Placed(torch.nn.Module):
    def __init__(self, width, depth=0, extra=False):
        super().__init__()
        self.mask = torch.ones(width)
        self.steps = torch.nn.Sequential()
        if extra:
            for i in range(int(depth)):
                self.steps.add_module(f"step{i}", torch.nn.Linear(width, width))

    def forward(self, x):
        count = x.size(1)
        places = torch.arange(count, device=x.device).view(1, -1, 1)
        return torch.relu(self.steps(x)) + places

    def to_where_it_is(self, x):
        if self.mask.device != x.device:
            self.mask = self.mask.to(x.device)
        return torch.relu(x) * self.mask

    def on_gpu(self, x):
        ones = torch.ones(3)
        if x.is_cuda:
            ones = ones.cuda()
        return torch.relu(x) * ones

    def by_type(self, x):
        ones = torch.ones(3)
        if x.device.type == "cuda":
            ones = ones.cuda()
        return torch.relu(x) * ones

    def where_there_is_one(self, x):
        ones = torch.ones(3)
        if torch.cuda.is_available():
            ones = ones.cuda()
            x = x.cuda()
        return torch.relu(x) * ones

    def scaled(self, x, scale):
        return torch.relu(x) * scale

    def plain(self, x):
        return x * torch.ones(3)

    def on_the_host(self, x):
        return torch.relu(x).cpu() * torch.ones(3)

    def counted(self, x, lengths):
        most = max(lengths)
        return torch.relu(x)[:, :most] * torch.ones(1, device=x.device)


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(3))

    def forward(self, x: Tensor):
        return self.scale * x


# Modules that it does not register are moved where they are used.
class Described(torch.nn.Module):
    def __init__(self, kind: str = "both"):
        super().__init__()
        self.kinds = ["polar", "plane"] if kind == "both" else [kind]
        self.parts = {}
        for one in self.kinds:
            self.parts[one] = torch.nn.Sequential(Scaled(), Scaled())

    def forward(self, x: Tensor):
        found = []
        for kind in self.kinds:
            self.parts[kind].to(x.device)
            found.append(self.parts[kind](x))
        return torch.cat(found)
