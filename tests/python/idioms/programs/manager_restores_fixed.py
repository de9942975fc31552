from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def cast(module, dtype):
    before = next(module.parameters()).dtype
    module.to(dtype)
    try:
        yield module
    finally:
        module.to(before)


@contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    yield
    torch.set_default_dtype(before)


@contextmanager
def maybe_amp(enabled):
    if enabled:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            yield
    else:
        yield


model = nn.Linear(3, 3)
x = torch.randn(2, 3)
for step in range(4):
    with cast(model, torch.float64) as double:
        precise = double(x.double())
    plain = model(x)
    with default_dtype(torch.float64):
        wide = torch.zeros(3, 3)
    print((torch.zeros(3, 3) @ plain.t()).shape, (wide @ precise.t()).shape)
    with maybe_amp(step > 1):
        mixed = model(x)
    print(model(mixed.float()).dtype)
