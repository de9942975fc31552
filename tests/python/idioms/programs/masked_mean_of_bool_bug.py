import torch
from torch import nn


class MaskedPool(nn.Module):
    def forward(self, x, mask):
        x = x.masked_fill(mask.unsqueeze(-1), 0.0)
        return x.sum(1) / (1 - mask.float()).sum(1, keepdim=True)


def make_mask(lengths, n):
    return (torch.arange(n)[None] >= lengths[:, None]).float()


pool = MaskedPool()
print(pool(torch.randn(2, 4, 8), make_mask(torch.tensor([2, 4]), 4)).shape)
