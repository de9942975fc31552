import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Linear(dim, 1)

    @torch.no_grad()
    def score(self, x):
        return self.w(x).squeeze(-1)
