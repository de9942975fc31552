import json
import sys

import torch
from torch import nn

DEFAULTS = {"heads": 2}


def read_settings(text):
    settings = json.loads(text)
    return settings


def build(settings):
    net = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, settings.get("classes", 3)))
    if settings.get("low_precision", False):
        net = net.bfloat16()
    return net


def main():
    settings = read_settings(sys.argv[1] if len(sys.argv) > 1 else "{}")
    net = build(settings)
    batch = torch.randn(4, 8)
    print(net(batch).float().mean().item())


main()
