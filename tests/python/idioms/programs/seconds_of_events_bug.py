import torch
from torch import nn


class Session:
    def __init__(self, start):
        self.start = start
        self.clicks = []

    def click(self, seconds):
        self.clicks.append(self.start + seconds)


def gaps(session):
    times = torch.tensor(session.clicks, dtype=torch.float32)
    return times[1:] - times[:-1]


class Churn(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.time = nn.Linear(1, dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, dt):
        h = torch.relu(self.time(torch.log1p(dt).unsqueeze(-1)))
        return torch.sigmoid(self.out(h.mean(0)))


def main():
    session = Session(1_712_345_678)
    for i in range(6):
        session.click(7 * i)
    print(Churn(8)(gaps(session)))


main()
