import os
import tempfile

import torch
from torch import nn


def save(model, path, dtype=torch.float64):
    torch.save({"model": {k: v.to(dtype) for k, v in model.state_dict().items()}, "step": 3}, path)


def restore(model, path):
    state = torch.load(path, map_location="cpu")
    for name, p in model.named_parameters():
        p.data = state["model"][name].to(p.dtype)
    return state["step"]


path = os.path.join(tempfile.gettempdir(), "probe_ckpt.pt")
src = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
save(src, path)
dst = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
step = restore(dst, path)
print(step, dst(torch.randn(3, 4)).shape)
