import os

import torch
import torch.nn as nn


class Wrapper(nn.Module):
    def __init__(self, module, device_ids=None):
        super().__init__()
        self.module = module
        self.device_ids = device_ids

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(self.module, name)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.temperature = 2.0

    def forward(self, x, scale=None):
        out = self.fc(x)
        return out if scale is None else torch.mm(out, scale)


def is_main():
    return int(os.environ.get("RANK", "0")) == 0


local_rank = int(os.environ.get("LOCAL_RANK", 0))
device = torch.device("cuda", local_rank)
model = Wrapper(Net().to(device), device_ids=[local_rank])
raw = model.module if hasattr(model, "module") else model
scale = torch.eye(4) / raw.temperature
scale = scale.to(device)
out = model(torch.randn(2, 4).to(device), scale=scale)
if is_main():
    print(out)
