import torch
from torch import nn


def budget(model, ratio):
    sizes = torch.tensor([p.numel() for p in model.parameters()])
    share = sizes // sizes.sum()
    return share * ratio


model = nn.Sequential(nn.Linear(10, 20), nn.Linear(20, 5))
print(budget(model, 0.5))
