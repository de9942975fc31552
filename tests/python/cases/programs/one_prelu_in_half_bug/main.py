import torch
from torch import nn
from net import IRNet

model = IRNet().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.cuda.amp.GradScaler()
for step in range(2):
    images = torch.randn(4, 3, 16, 16, device="cuda")
    labels = torch.randint(0, 10, (4,), device="cuda")
    with torch.cuda.amp.autocast():
        loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    scaler.step(optimizer)
    scaler.update()
