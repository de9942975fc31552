import torch
from torch import nn


def run(model, optimizer, batches, accumulate):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        loss = nn.functional.mse_loss(model(x), y) / accumulate
        loss.backward()
        if (i + 1) % accumulate == 0:
            optimizer.zero_grad()
            optimizer.step()
    return loss.item()


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(16)]
for _ in range(3):
    print(run(model, optimizer, batches, 4))
