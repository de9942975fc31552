import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, lr=1e-3, clip=1.0):
        self.model = model.cuda()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.scaler = GradScaler()
        self.clip = clip
        self.loss_fn = nn.MSELoss()

    def step(self, x, y):
        self.opt.zero_grad(set_to_none=True)
        with autocast():
            loss = self.loss_fn(self.model(x), y)
        self.scaler.scale(loss).backward()
        if self.clip:
            self.scaler.unscale_(self.opt)
            nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.scaler.step(self.opt)
        self.scaler.update()
        return loss.detach()


trainer = Trainer(nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1)))
for i in range(5):
    print(trainer.step(torch.randn(8, 10).cuda(), torch.randn(8, 1).cuda()).item())
