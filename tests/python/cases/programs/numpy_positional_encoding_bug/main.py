import torch
from torch import nn
from encoding import PositionalEncoding
from util import get_device

model = nn.Sequential(nn.Embedding(20, 16), PositionalEncoding(16)).to(get_device())
tokens = torch.tensor([[1, 2, 3]], device=get_device())
print(model(tokens).shape)
