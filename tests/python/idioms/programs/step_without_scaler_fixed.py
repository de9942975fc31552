import torch
from torch import nn

model = nn.Linear(16, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
scaler = torch.cuda.amp.GradScaler()

for epoch in range(2):
    for _ in range(3):
        x = torch.randn(8, 16).cuda()
        y = torch.randint(0, 2, (8,)).cuda()
        optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = nn.functional.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
