import os

import torch
from torch import nn

dtype = getattr(torch, os.environ.get("MODEL_DTYPE", "bfloat16"))
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)).to(dtype)
x = torch.randn(2, 8)
print(model(x).float().sum().item())
