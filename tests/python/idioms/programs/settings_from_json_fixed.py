import json
import os
import sys

import torch
from torch import nn

DEFAULTS = '{"precision": "half", "hidden": 24, "layers": 2, "device": "cuda"}'


class Settings:
    def __init__(self, **entries):
        self.__dict__.update(entries)

    @classmethod
    def load(cls, path=None):
        values = json.loads(DEFAULTS)
        if path and os.path.exists(path):
            with open(path) as f:
                values.update(json.load(f))
        return cls(**values)


class Stack(nn.Module):
    def __init__(self, hidden, layers):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(hidden, hidden) for _ in range(layers)])
        self.bias = nn.Parameter(torch.zeros(hidden))

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(block(x)) + self.bias
        return x


def main(argv):
    s = Settings.load(argv[1] if len(argv) > 1 else None)
    net = Stack(s.hidden, s.layers).to(s.device)
    if s.precision == "half":
        net.half()
    x = torch.ones(3, s.hidden, device=s.device, dtype=net.bias.dtype)
    with torch.no_grad():
        print(net(x).sum().item())


if __name__ == "__main__":
    main(sys.argv)
