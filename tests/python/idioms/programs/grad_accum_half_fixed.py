import torch
from torch import nn

ACCUM = 8
model = nn.Linear(64, 64).cuda()
opt = torch.optim.SGD(model.parameters(), lr=1e-2)
scaler = torch.cuda.amp.GradScaler()
running = torch.zeros((), device="cuda")

for step in range(64):
    x = torch.randn(4, 64, device="cuda")
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        out = model(x)
        loss = out.float().pow(2).mean() / ACCUM
    scaler.scale(loss).backward()
    running += loss.detach()
    if (step + 1) % ACCUM == 0:
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
print(running.item())
