"""A parameter that has no shape yet can be looked at."""
import torch
from torch import nn

net = nn.LazyLinear(4); y = net(torch.ones(2, 3)) @ torch.ones(4).half()
