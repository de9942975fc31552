import torch
from torch import nn


class EarlyStop:
    def __init__(self, patience=3):
        self.best = None
        self.bad = 0
        self.patience = patience

    def __call__(self, loss):
        value = loss.int()
        if self.best is None or value < self.best:
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def main():
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    x = torch.randn(64, 4)
    y = x.sum(1, keepdim=True)
    stop = EarlyStop()
    for epoch in range(100):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if stop(loss):
            break
    print(epoch, loss.item())


main()
