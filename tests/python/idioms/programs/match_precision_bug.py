from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Config:
    precision: str = "bf16"
    dims: list = field(default_factory=lambda: [8, 16, 4])


def to_dtype(precision):
    match precision:
        case "fp16" | "half":
            return torch.float16
        case "bf16":
            return torch.bfloat16
        case _:
            return torch.float32


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        pairs = zip(cfg.dims[:-1], cfg.dims[1:])
        self.layers = nn.Sequential(*[nn.Linear(i, o) for i, o in pairs])

    def forward(self, x):
        return self.layers(x)


cfg = Config()
net = Net(cfg).to(to_dtype(cfg.precision))
batch = torch.randn(2, 8)
print(net(batch))
