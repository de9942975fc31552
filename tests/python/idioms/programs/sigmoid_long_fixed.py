import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 4))

    def forward(self, x):
        return self.net(x)


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        pred = (torch.sigmoid(model(x)) > 0.5).long()
    tp = ((pred == 1) & (y == 1)).sum()
    return (2 * tp / (pred.sum() + y.sum())).item()


def main():
    torch.manual_seed(0)
    x = torch.randn(100, 10)
    y = (x[:, :4] > 0).long()
    model = Tagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(50):
        loss = nn.functional.binary_cross_entropy_with_logits(model(x), y.float())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("f1", evaluate(model, x, y))


main()
