import numpy as np
import torch


def timesteps(train, infer):
    steps = np.linspace(0, train - 1, infer)
    return torch.from_numpy(steps).to(torch.bfloat16).long()


print(timesteps(1000, 50)[-5:].tolist())
