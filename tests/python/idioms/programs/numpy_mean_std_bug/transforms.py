import numpy as np
import torch

MEAN = np.array([0.485, 0.456, 0.406])
STD = np.array([0.229, 0.224, 0.225])


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, x):
        for step in self.steps:
            x = step(x)
        return x


def to_float(image):
    return image.astype(np.float32) / 255.0


def normalise(image):
    return (image - MEAN) / STD


def to_tensor(image):
    return torch.from_numpy(image.transpose(2, 0, 1).copy())
