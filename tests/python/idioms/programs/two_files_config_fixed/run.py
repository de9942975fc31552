import torch
from torch import nn

import config


def build():
    layers = []
    for _ in range(3):
        layers.append(nn.Linear(config.width, config.width))
        layers.append(nn.ReLU(inplace=True))
    return nn.Sequential(*layers).to(config.param_dtype)


model = build()
x = torch.randn(config.batch_size, config.width, dtype=config.input_dtype)
print(model(x).dtype)
