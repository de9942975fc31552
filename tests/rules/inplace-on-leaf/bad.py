import torch
from torch import nn

w = torch.zeros(3, 8, requires_grad=True)
w[0].add_(1)  # expect: inplace-on-leaf error
