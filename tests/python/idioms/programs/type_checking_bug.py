import typing
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

    scale = torch.ones(2, 2)
else:
    scale = torch.ones(2, 2).half()

if typing.TYPE_CHECKING:
    from nowhere import helper


def product(x: "torch.Tensor", after: "Callable | None" = None) -> "torch.Tensor":
    return x @ scale


print(product(torch.ones(2, 2)))
