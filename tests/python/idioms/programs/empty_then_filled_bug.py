import torch
from torch import nn


class Registry:
    pass


def fill(registry, name, module):
    setattr(registry, name, module)
    registry.order = getattr(registry, "order", []) + [name]
    return registry.order


def build():
    registry = Registry()
    for name in ("first", "second"):
        fill(registry, name, nn.Linear(4, 4))
    fill(registry, "last", nn.Linear(4, 2).half())
    return registry


def main():
    registry = build()
    x = torch.randn(3, 4)
    x = registry.first(x)
    x = registry.second(x)
    print(registry.last(x))


main()
