"""Cannot be called from outside, or not constructed."""
import abc

import torch


def outer():
    def inner(x: torch.Tensor):
        return torch.ones(2).half() @ torch.ones(2)

    return inner


class Base(abc.ABC):
    @abc.abstractmethod
    def width(self):
        pass

    def product(self, x: torch.Tensor):
        return torch.ones(2).half() @ torch.ones(2)
