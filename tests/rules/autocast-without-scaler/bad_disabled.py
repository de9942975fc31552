import torch
from torch import nn
net = nn.Linear(3, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.cuda.amp.GradScaler(enabled=False)
for i in range(100):
    with torch.autocast("cuda", dtype=torch.float16):
        loss = net(torch.randn(4, 3, device="cuda")).pow(2).mean()
    opt.zero_grad()
    scaler.scale(loss).backward()  # expect: autocast-without-scaler note
    scaler.step(opt)
    scaler.update()
