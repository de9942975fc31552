import torch
from torch import nn


class Stage(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.inp = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def encode(self, x):
        return torch.relu(self.inp(x))

    def decode(self, h):
        return self.out(h)


def load_stage(dtype):
    return Stage().to("cuda", dtype=dtype).eval()
