import numpy as np
import torch


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, x):
        for s in self.steps:
            x = s(x)
        return x


class ToTensor:
    def __call__(self, img):
        return torch.from_numpy(img.transpose(2, 0, 1) / 255.0)


class Normalize:
    def __init__(self, mean, std):
        self.mean = torch.tensor(mean).view(-1, 1, 1)
        self.std = torch.tensor(std).view(-1, 1, 1)

    def __call__(self, x):
        return (x - self.mean) / self.std
