import torch
from torch import nn


def load(n):
    return torch.randint(0, 256, (n, 3, 16, 16), dtype=torch.uint8)


def preprocess(img, mean=127.5, std=127.5):
    img -= mean
    img /= std
    return img


net = nn.Conv2d(3, 4, 3)
print(net(preprocess(load(2))).shape)
