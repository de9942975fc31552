import torch
from collections import deque


class MovingAverage:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def add(self, v):
        self.items.append(v)

    @property
    def value(self):
        return torch.tensor(list(self.items)).mean()


avg = MovingAverage(4)
for i in range(6):
    avg.add(i)
print(avg.value)
