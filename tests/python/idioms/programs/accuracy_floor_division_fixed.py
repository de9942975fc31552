import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@torch.no_grad()
def evaluate(model, loader):
    correct = torch.zeros((), dtype=torch.long)
    total = 0
    for x, y in loader:
        pred = model(x).argmax(dim=1)
        correct += (pred == y).sum()
        total += y.numel()
    return 100 * (correct / total)


def main():
    data = TensorDataset(torch.randn(64, 10), torch.randint(0, 3, (64,)))
    model = nn.Linear(10, 3).eval()
    print("accuracy", evaluate(model, DataLoader(data, batch_size=16)).item())


main()
