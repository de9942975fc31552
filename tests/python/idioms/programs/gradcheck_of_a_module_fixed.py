import argparse

import torch
from torch import nn


def eye_like(n, x):
    return torch.eye(n, device=x.device, dtype=x.dtype)[None].repeat(x.shape[0], 1, 1)


class Shift(nn.Module):
    def forward(self, points, by):
        m = eye_like(3, points)
        m[:, :2, 2] = by
        return points @ m


parser = argparse.ArgumentParser()
parser.add_argument("--check", action="store_true")
args = parser.parse_args()
dtype = torch.float64 if args.check else torch.float32
points = torch.rand(2, 5, 3, dtype=dtype)
by = torch.rand(2, 2, dtype=dtype, requires_grad=True)
if args.check:
    print(torch.autograd.gradcheck(Shift(), (points, by)))
else:
    Shift()(points, by).sum().backward()
