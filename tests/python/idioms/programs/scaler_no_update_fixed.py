import torch
from torch import nn


class MixedTrainer:
    def __init__(self, model, lr):
        self.model = model.cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.mse_loss(self.model(x).squeeze(-1), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


def main():
    trainer = MixedTrainer(nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1)), 1e-3)
    for _ in range(20):
        x = torch.randn(8, 4, device="cuda")
        trainer.step(x, x.sum(-1))


main()
