import torch
from torch import nn


class Trainer:
    def __init__(self, model, lr, device):
        self.model = model.to(device)
        self.lr = lr
        self.device = device
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr)
        self.scaler = torch.cuda.amp.GradScaler()
        self.norms = []

    def step(self, x, y):
        with torch.autocast(self.device, dtype=torch.float16):
            loss = nn.functional.mse_loss(self.model(x), y)
        self.scaler.scale(loss).backward()
        with torch.no_grad():
            for p in self.model.parameters():
                p.sub_(p.grad, alpha=self.lr)
                p.grad = None
        return loss.detach()


def main():
    torch.manual_seed(0)
    device = "cuda"
    trainer = Trainer(nn.Linear(8, 1), 0.01, device)
    for _ in range(3):
        x = torch.randn(16, 8, device=device)
        y = torch.randn(16, 1, device=device)
        loss = trainer.step(x, y)
    print(loss.item())


main()
