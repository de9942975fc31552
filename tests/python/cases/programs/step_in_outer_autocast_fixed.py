import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 4))

    def forward(self, x):
        return self.net(x)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

    def compute_loss(self, x, y):
        return nn.functional.cross_entropy(self.model(x), y)

    def optimize(self, x, y, steps=3):
        for _ in range(steps):
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = self.compute_loss(x, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def run(self):
        x = torch.randn(8, 16, device="cuda")
        y = torch.randint(0, 4, (8,), device="cuda")
        self.optimize(x, y)


Trainer(Policy().cuda()).run()
