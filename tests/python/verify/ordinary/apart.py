"""PyTorch names the types of a convolution in some versions, and its devices in others."""
import torch
from torch import nn

print(nn.Conv2d(4, 8, 3)(torch.rand(1, 4, 8, 8).cuda()))
