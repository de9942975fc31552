import torch
from torch import nn


class Disc(nn.Module):
    def __init__(self, final_sigmoid):
        super().__init__()
        layers = [nn.Linear(8, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1)]
        if final_sigmoid:
            layers.append(nn.Sigmoid())
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


D = Disc(final_sigmoid=True).cuda()
criterion = nn.BCELoss()
opt = torch.optim.Adam(D.parameters())
scaler = torch.amp.GradScaler("cuda")
for _ in range(3):
    real = torch.randn(4, 8, device="cuda")
    with torch.amp.autocast("cuda", dtype=torch.float16):
        pred = D(real)
        loss = criterion(pred, torch.ones_like(pred))
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
