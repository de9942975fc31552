import torch
import torch.nn.functional as F
from torch import nn


class Codebook(nn.Module):
    def __init__(self, k, d):
        super().__init__()
        self.embed = nn.Parameter(torch.randn(k, d))

    def quantize(self, z):
        dist = torch.cdist(z, self.embed)
        idx = dist.argmin(-1)
        onehot = F.one_hot(idx, self.embed.size(0))
        return onehot @ self.embed, idx


z = torch.randn(10, 4)
q, idx = Codebook(8, 4).quantize(z)
print(q.shape, idx.dtype)
