import torch
from torch import nn


def build():
    return nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 2))


trained = build().half()
checkpoint = {"model": trained.state_dict(), "step": 100}

model = build()
model.load_state_dict(checkpoint["model"])
model.eval()
x = torch.randn(4, 8, dtype=torch.float16)
with torch.no_grad():
    y = model(x)
print(y.dtype)
