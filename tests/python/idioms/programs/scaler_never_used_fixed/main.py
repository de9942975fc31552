import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model):
        self.model = model.cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=1e-4)
        self.scaler = torch.cuda.amp.GradScaler()

    def step(self, x, y):
        self.opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


if __name__ == "__main__":
    t = Trainer(nn.Linear(8, 8))
    for _ in range(3):
        t.step(torch.randn(4, 8, device="cuda"), torch.randn(4, 8, device="cuda"))
