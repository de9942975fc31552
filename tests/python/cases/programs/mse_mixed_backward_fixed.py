import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 12)
        self.out = nn.Linear(12, 1)

    def forward(self, x):
        return self.out(torch.sigmoid(self.hidden(x)))


def make_data(n):
    X = torch.randn(n, 6, dtype=torch.float64)
    Y = torch.randn(n, 1)
    return X, Y


def train(model, X, Y, epochs=3):
    loss_fn = nn.MSELoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        pred = model(X)
        loss = loss_fn(pred, Y.to(pred.dtype))
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


X, Y = make_data(20)
print(train(Regressor().double(), X, Y))
