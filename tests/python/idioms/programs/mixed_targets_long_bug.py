import torch
import torch.nn.functional as F
from torch import nn


def mixup(x, y, classes, lam):
    index = torch.randperm(x.shape[0])
    onehot = F.one_hot(y, classes)
    target = (lam * onehot + (1 - lam) * onehot[index]).long()
    return lam * x + (1 - lam) * x[index], target.float()


def main():
    torch.manual_seed(0)
    model = nn.Linear(8, 4)
    x = torch.randn(16, 8)
    y = torch.randint(0, 4, (16,))
    mixed, target = mixup(x, y, 4, 0.7)
    loss = -(target * F.log_softmax(model(mixed), dim=1)).sum(1).mean()
    print(loss.item(), target.sum().item())


main()
