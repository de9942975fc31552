import numpy as np
import torch


class Twice:
    def __init__(self, device):
        self.now = torch.zeros(3)
        self.start = self.now
        self.now = self.now.to(device)

    def step(self, x):
        self.now.add_(x)  # expect: inplace-on-cast-alias warning


def load():
    blobs = {"boxes": np.zeros((4, 5), dtype=np.float32)}
    boxes = torch.from_numpy(blobs["boxes"])
    boxes[0] = 1  # expect: inplace-on-cast-alias warning
    return boxes, blobs["boxes"].sum()


def collect(device):
    twice = Twice(device)
    twice.step(torch.randn(3, device=device))
    batch = {"x": torch.zeros(3), "y": torch.zeros(3)}
    moved = {}
    for key, v in batch.items():
        if v.ndim:
            moved[key] = v.to(device)
    moved["x"].sub_(1)  # expect: inplace-on-cast-alias warning
    return twice, batch, moved


collect("cpu")
print(load())
