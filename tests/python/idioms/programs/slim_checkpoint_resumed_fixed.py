import io

import torch
from torch import nn


def save_slim(model, file):
    torch.save(model.state_dict(), file)


def resume(model, file):
    state = torch.load(file)
    model.load_state_dict({k: v.float() for k, v in state.items()})
    return torch.optim.AdamW(model.parameters(), lr=1e-4)


def fit(model, optimizer, steps):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(8, 16)).square().mean().backward()
        optimizer.step()


net = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
fit(net, torch.optim.AdamW(net.parameters()), 3)
buffer = io.BytesIO()
save_slim(net, buffer)
buffer.seek(0)
fit(net, resume(net, buffer), 3)
