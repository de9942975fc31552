import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast


class Trainer:
    def __init__(self, model, lr=1e-3, max_norm=1.0):
        self.model = model.cuda()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr)
        self.scaler = GradScaler()
        self.max_norm = max_norm

    def training_step(self, x, y):
        self.optimizer.zero_grad(set_to_none=True)
        with autocast():
            loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()


trainer = Trainer(nn.Linear(8, 1))
for i in range(4):
    print(trainer.training_step(torch.randn(16, 8).cuda(), torch.randn(16, 1).cuda()))
