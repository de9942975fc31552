import torch
from torch.utils.data import Dataset


class Ratings(Dataset):
    def __init__(self, n):
        self.x = torch.rand(n)
        self.y = torch.zeros(n)
        self.y[:] = self.x[:]

    def __getitem__(self, i):
        return self.x[i], self.y[i]

    def __len__(self):
        return len(self.x)


def mean_target(data):
    total = 0.0
    for i in range(len(data)):
        total += data[i][1].item()
    return total / len(data)


print(mean_target(Ratings(10)))
