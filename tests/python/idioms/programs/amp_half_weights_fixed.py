import torch
from torch import nn


def train(model, steps, use_amp=True):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
    for _ in range(steps):
        x = torch.randn(8, 16, device="cuda")
        y = torch.randint(0, 4, (8,), device="cuda")
        opt.zero_grad()
        with torch.cuda.amp.autocast(enabled=use_amp):
            logits = model(x)
            loss = nn.functional.cross_entropy(logits, y)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()


train(nn.Linear(16, 4).cuda(), 3)
