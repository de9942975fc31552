import torch
from torch import nn


class LVSM(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


model = LVSM().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cuda")
allowed_gradnorm = 0.0

for step in range(4):
    x = torch.randn(4, 8, device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        loss = (model(x) - x).float().pow(2).mean()
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    if norm.item() < allowed_gradnorm:
        scaler.step(optimizer)
        scaler.update()
    optimizer.zero_grad(set_to_none=True)
