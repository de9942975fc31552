import torch
from torch import nn


class TimeGap(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Linear(1, 8)

    def forward(self, stamps):
        stamps = stamps.to(torch.int64)
        gaps = (stamps[:, 1:] - stamps[:, :1]).float() / 1000
        return self.emb(gaps.unsqueeze(-1)), gaps


def main():
    torch.manual_seed(0)
    start = 1_700_000_000_000
    stamps = start + torch.randint(0, 10**10, (4, 6)).cumsum(1)
    out, gaps = TimeGap()(stamps)
    print(gaps.min().item(), out.shape)


main()
