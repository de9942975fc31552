import torch
from torch import nn

model = nn.Sequential(
    nn.Linear(16, 16),
    nn.LayerNorm(16),
    nn.ReLU(),
    nn.Linear(16, 4),
)
model = model.half().cuda()
for layer in model:
    if isinstance(layer, nn.LayerNorm):
        layer.float()  # for accuracy
x = torch.randn(2, 16, device="cuda", dtype=torch.half)
print(model(x).shape)
