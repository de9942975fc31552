# Gradients that nothing clears, in a loop over a loader, and through a gradient scaler.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def epoch(model, loader, optimizer):
    for x, y in loader:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()  # expect: gradients-not-cleared warning


def scaled(x):
    model = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    scaler = torch.cuda.amp.GradScaler()
    while True:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(x).pow(2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)  # expect: gradients-not-cleared warning
        scaler.update()


loader = DataLoader(TensorDataset(torch.randn(64, 4), torch.randn(64, 2)), batch_size=8)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.Linear(8, 2))
epoch(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))
scaled(torch.randn(3, 4, device="cuda"))
