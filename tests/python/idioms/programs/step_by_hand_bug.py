import torch
import torch.nn as nn


def train_one(model, optimizer, scaler, batches, accumulate=2):
    optimizer.zero_grad()
    for i, (x, y) in enumerate(batches):
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(x), y) / accumulate
        scaler.scale(loss).backward()
        if (i + 1) % accumulate == 0:
            optimizer.step()
            optimizer.zero_grad()


net = nn.Linear(20, 5).cuda()
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
batches = [(torch.randn(4, 20).cuda(), torch.randint(0, 5, (4,)).cuda()) for _ in range(6)]
train_one(net, sgd, torch.amp.GradScaler("cuda"), batches)
