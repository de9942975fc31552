import torch
from torch import nn

layer = nn.Linear(4, 4)
with torch.no_grad():
    layer.weight[0].fill_(1.0)
nn.init.zeros_(layer.bias)
layer.weight.data[0] = 0.5
frozen = torch.zeros(3, 8)
frozen[0].add_(1)
