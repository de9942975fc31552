import argparse

import torch
from torch import nn


class MaskedMean(nn.Module):
    def forward(self, x, lengths):
        steps = torch.arange(x.size(1), device=x.device)
        mask = (steps[None, :] < lengths[:, None]).float()
        total = (x * mask.unsqueeze(-1)).sum(1)
        return total / mask.sum(1, keepdim=True).clamp(min=1)


class Net(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.rnn = nn.GRU(dim, hidden, batch_first=True)
        self.pool = MaskedMean()
        self.head = nn.Linear(hidden, 2)

    def forward(self, x, lengths):
        out, _ = self.rnn(x)
        return self.head(self.pool(out, lengths))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--fp16", action="store_true")
    args = parser.parse_args()
    net = Net(12, 24).cuda()
    x, lengths = torch.randn(3, 8, 12).cuda(), torch.randint(2, 9, (3,)).cuda()
    if args.fp16:
        net, x = net.half(), x.half()
    with torch.no_grad():
        print(net(x, lengths).shape)


if __name__ == "__main__":
    main()
