import torch
from torch import nn

SCALE = 4096.0


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def train_step(self, x, y):
        self.optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.mse_loss(self.model(x), y)
        (loss * SCALE).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss.item()


trainer = Trainer(nn.Linear(8, 1).cuda())
for _ in range(3):
    trainer.train_step(torch.randn(4, 8, device="cuda"), torch.randn(4, 1, device="cuda"))
