import torch
from torch import nn

torch.set_default_device("cuda")

model = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid())
data = torch.arange(8, dtype=torch.float32).view(2, 4)
x = data / 8
y = model(x)
print(y.sum().item())
