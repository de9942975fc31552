import torch
from torch import nn

torch.set_default_device("cuda")

model = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid())
cpu_data = torch.arange(8, dtype=torch.float32, device="cpu").view(2, 4)
x = cpu_data / 8
y = model(x)
print(y.sum().item())
