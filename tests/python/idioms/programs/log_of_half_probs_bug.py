import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, actions=2000):
        super().__init__()
        self.fc = nn.Linear(16, actions)

    def forward(self, x):
        return torch.softmax(self.fc(x) * 8, dim=-1)


def entropy(probs):
    probs = probs.half()
    return -(probs * torch.log(probs + 1e-10)).float().sum(-1).mean()


def main():
    torch.manual_seed(0)
    policy = Policy()
    x = torch.randn(32, 16)
    with torch.no_grad():
        print(entropy(policy(x)).item())


main()
