"""A script whose data is not there: its functions are called all the same."""
import numpy as np
import torch

data = torch.from_numpy(np.load("data.npy")).float()


def score(x):
    halves = x.half()
    return halves @ torch.ones(x.shape[-1])


for row in data:
    print(score(row))
print(data.half() @ torch.ones(3))
