import torch
from torch import nn


class PolicyHead(nn.Module):
    def __init__(self, dim, actions):
        super().__init__()
        self.logits = nn.Linear(dim, actions)

    def forward(self, x):
        return torch.softmax(self.logits(x), dim=-1)


def entropy(probs, eps=1e-8):
    return -(probs * torch.log(probs + eps)).sum(-1).mean()


def main():
    device = torch.device("cuda")
    head = PolicyHead(16, 6).to(device).half()
    obs = torch.randn(32, 16, device=device).half()
    loss = -0.01 * entropy(head(obs))
    loss.backward()


main()
