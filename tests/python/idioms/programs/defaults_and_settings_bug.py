import json
import sys

import torch
from torch import nn

DEFAULTS = {"low_precision": False, "width": 4, "classes": 2}


def read(argv):
    settings = dict(DEFAULTS)
    if len(argv) > 1:
        settings.update(json.loads(argv[1]))
    return {**settings, "classes": 3}


def main():
    cfg = read(sys.argv)
    net = nn.Linear(cfg["width"], cfg["classes"])
    if cfg["low_precision"]:
        net = net.bfloat16()
    x = torch.randn(2, cfg["width"])
    print(net(x).float().sum().item())


main()
