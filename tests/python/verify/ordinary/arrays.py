# What operations of NumPy lose is measured where they are.
import numpy as np
import torch


class Clip:
    def __init__(self, first):
        self.first = first
        self.total = np.zeros_like(first)

    def add(self, frame):
        self.total += frame
        self.first[0] = self.first[0] * 0.27
        return np.add(self.first, frame)


def darker(picture):
    picture = picture.copy()
    picture -= 127
    return picture


def shares(counts):
    return counts // counts.sum()


grey = np.full((4, 4), 100, dtype=np.uint8)
white = np.full((4, 4), 200, dtype=np.uint8)
clip = Clip(grey.copy())
print(clip.add(white).max(), clip.add(white).max(), darker(grey).max())
print(torch.from_numpy(shares(np.array([1, 2, 3]))))
print(np.full((2, 2), 0.75, dtype=np.int64), np.arange(100000, dtype=np.int32) * 100000)
print((grey[:1] - grey[1:2]).max())
for i in range(2):
    grey[i] += white[i]
