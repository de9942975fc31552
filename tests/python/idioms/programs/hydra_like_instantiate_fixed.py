import importlib

import torch


def instantiate(spec, **extra):
    module, _, name = spec["_target_"].rpartition(".")
    cls = getattr(importlib.import_module(module), name)
    kwargs = {k: v for k, v in spec.items() if k != "_target_"}
    return cls(**{**kwargs, **extra})


CFG = {
    "model": {"_target_": "torch.nn.Linear", "in_features": 4, "out_features": 2},
    "optim": {"_target_": "torch.optim.SGD", "lr": 0.1},
}
model = instantiate(CFG["model"])
model.double()
opt = instantiate(CFG["optim"], params=model.parameters())
x = torch.randn(3, 4, dtype=torch.float64)
loss = model(x).sum()
loss.backward()
opt.step()
