import torch
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.a = nn.Linear(8, 1)
        self.b = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return self.a(h), self.b(h)


def main():
    torch.manual_seed(0)
    model = MultiTask()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(32, 8)
    ya, yb = x.sum(1, keepdim=True), x[:, :1]
    first = None
    for _ in range(20):
        pa, pb = model(x)
        losses = [nn.functional.mse_loss(pa, ya), nn.functional.mse_loss(pb, yb)]
        loss = torch.stack(losses).mean()
        first = first if first is not None else loss.item()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item() < first)


main()
