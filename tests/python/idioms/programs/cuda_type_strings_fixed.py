import torch
import torch.nn as nn


def get_dtypes(use_cuda):
    prefix = "torch.cuda" if use_cuda else "torch"
    return prefix + ".FloatTensor", prefix + ".LongTensor"


class Critic(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.v = nn.Linear(d, 1)

    def forward(self, s):
        return self.v(s)


def returns(rewards, gamma=0.9):
    out, acc = [], 0.0
    for r in reversed(rewards):
        acc = r + gamma * acc
        out.insert(0, acc)
    return torch.tensor(out)


def main():
    critic = Critic(4).cuda()
    states = torch.randn(5, 4)
    states = states.type("torch.cuda.FloatTensor")
    target = returns([1.0, 0.0, 1.0, 0.5, 1.0]).type(torch.cuda.FloatTensor)
    loss = (critic(states).squeeze(-1) - target).pow(2).mean()
    loss.backward()


main()
