import sys

import torch
from torch import nn

device = "cuda"
limit = 1.0 if len(sys.argv) < 2 else float(sys.argv[1])
model = nn.Linear(32, 4).to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
criterion = nn.CrossEntropyLoss()

for step in range(10):
    inputs = torch.randn(16, 32, device=device)
    targets = torch.randint(0, 4, (16,), device=device)
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = criterion(model(inputs), targets)
    scaler.scale(loss).backward()
    if limit > 0:
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
    scaler.step(optimizer)
    scaler.update()
