import torch
from torch import nn

from config import TrainConfig


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Linear(cfg.dim, cfg.dim, dtype=cfg.dtype)
        self.head = nn.Linear(cfg.dim, cfg.classes, dtype=cfg.dtype)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Net(cfg.low_precision().model).to(cfg.device)

    def batch(self):
        m = self.cfg.model
        x = torch.randn(8, m.dim, dtype=m.dtype, device=self.cfg.device)
        return x, torch.randint(0, m.classes, (8,), device=self.cfg.device)

    def run(self):
        opt = torch.optim.AdamW(self.net.parameters(), lr=1e-2)
        for _ in range(self.cfg.steps):
            x, y = self.batch()
            loss = nn.functional.cross_entropy(self.net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    Trainer(TrainConfig()).run()
