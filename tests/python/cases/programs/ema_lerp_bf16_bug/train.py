import torch
from torch import nn

from ema import EMA


def initialize_engine(model, config):
    if config["bf16"]["enabled"]:
        model.bfloat16()
    return model


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
ema = EMA(model, beta=0.999)
model = initialize_engine(model, {"bf16": {"enabled": True}})
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(2):
    x = torch.randn(16, 4, dtype=torch.bfloat16)
    loss = model(x).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update(model)
