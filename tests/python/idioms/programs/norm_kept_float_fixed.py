import torch
from torch import nn

model = nn.Sequential(
    nn.Linear(16, 16),
    nn.LayerNorm(16),
    nn.ReLU(),
    nn.Linear(16, 4),
)
model = model.half().cuda()
x = torch.randn(2, 16, device="cuda", dtype=torch.half)
print(model(x).shape)
