import torch
from torch import nn


class Pool(nn.Module):
    def forward(self, x, mask):
        x = x * mask.unsqueeze(-1)
        lengths = mask.sum(dim=1)
        return x.sum(1) / lengths.clamp(min=1).unsqueeze(-1)


def main():
    torch.manual_seed(0)
    x = torch.ones(2, 400, 4)
    mask = torch.arange(400)[None] < torch.tensor([[300], [120]])
    print(Pool()(x, mask)[:, 0].tolist())


main()
