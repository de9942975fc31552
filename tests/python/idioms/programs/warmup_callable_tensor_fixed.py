import functools
import logging

import torch
import torch.nn as nn

log = logging.getLogger("train")


def log_call(level):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a, **k):
            log.log(level, "calling %s", fn.__name__)
            return fn(*a, **k)

        return inner

    return deco


class Regularizer:
    registry = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Regularizer.registry[cls.__name__] = cls

    def __call__(self, model):
        raise NotImplementedError


class L2(Regularizer):
    def __call__(self, model):
        return sum(p.pow(2).sum() for p in model.parameters())


class Spectral(Regularizer):
    def __init__(self, dim):
        self.u = torch.randn(dim, 1, dtype=torch.float64)

    def __call__(self, model):
        w = model.weight
        return (w.t() @ (w @ self.u)).norm()


@log_call(logging.INFO)
def objective(model, x, regs):
    out = model(x).pow(2).mean()
    for weight, reg in regs:
        out = out + weight * reg(model)
    return out


model = nn.Linear(5, 3).double()
regs = [(0.1, L2()), (0.01, Spectral(5))]
loss = objective(model, torch.randn(2, 5).double(), regs)
loss.backward()
