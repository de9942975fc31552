import torch
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.stem = nn.Conv2d(3, widths[0], 3, padding=1)
        self.stages = [nn.Conv2d(a, b, 3, stride=2, padding=1) for a, b in zip(widths, widths[1:])]
        self.head = nn.Linear(widths[-1], 10)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = torch.relu(stage(x))
        return self.head(x.mean((2, 3)))


model = Pyramid([8, 16, 32])
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for _ in range(3):
    loss = model(torch.randn(2, 3, 32, 32)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
