import torch
from torch import nn


def position_ids(mask):
    return mask.cumsum(dim=1, dtype=torch.uint8).long() - 1


def main():
    torch.manual_seed(0)
    mask = torch.ones(2, 600, dtype=torch.bool)
    mask[0, :50] = False
    ids = position_ids(mask).clamp(min=0)
    table = nn.Embedding(1024, 8)
    print(ids.max().item(), table(ids).shape)


main()
