import os
import tempfile

import torch
from torch import nn

path = os.path.join(tempfile.mkdtemp(), "last.pt")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def build():
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


def train(model, optimizer, device):
    for _ in range(2):
        loss = model(torch.randn(4, 8, device=device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


model, optimizer = build()
train(model, optimizer, "cpu")
torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
model, optimizer = build()
state = torch.load(path, map_location="cpu")
model.load_state_dict(state["model"])
optimizer.load_state_dict(state["optimizer"])
model.to(device)
train(model, optimizer, device)
