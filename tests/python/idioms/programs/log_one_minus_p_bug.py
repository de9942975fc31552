import torch
from torch import nn


class Focal(nn.Module):
    def __init__(self, gamma=2.0):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, target):
        p = torch.sigmoid(logits).to(torch.bfloat16)
        negative = -torch.log(1 - p) * p**self.gamma
        positive = -torch.log(p) * (1 - p) ** self.gamma
        return torch.where(target > 0, positive, negative).float().mean()


def main():
    torch.manual_seed(0)
    logits = torch.randn(1000) * 4
    target = torch.randint(0, 2, (1000,))
    print(Focal()(logits, target).item())


main()
