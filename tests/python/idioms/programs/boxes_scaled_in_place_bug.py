import numpy as np
import torch
from torch.utils.data import Dataset


def letterbox(shape, size=64):
    ratio = size / max(shape)
    return ratio, (size - shape[1] * ratio) / 2, (size - shape[0] * ratio) / 2


class Boxes(Dataset):
    def __init__(self, lines, size=64):
        self.size = size
        self.items = [np.array([[int(v) for v in b.split(",")] for b in line.split()]) for line in lines]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        boxes = self.items[i].copy()
        ratio, dw, dh = letterbox((48, 96), self.size)
        boxes[:, :4] *= ratio
        boxes[:, 0::2] += dw
        boxes[:, 1::2] += dh
        return torch.from_numpy(boxes).float()


if __name__ == "__main__":
    data = Boxes(["1,2,30,40 5,6,20,30", "3,4,9,12"])
    for i in range(len(data)):
        print(data[i].mean())
