import argparse

import torch
from torch import nn
import torch.nn.functional as F

LOSSES = {}


def loss(name=None):
    def wrap(cls):
        LOSSES[name or cls.__name__] = cls
        return cls

    return wrap


@loss("mse")
class Squares(nn.Module):
    def forward(self, logits, target):
        return F.mse_loss(logits.mean(-1), target)


@loss("nll")
class Classes(nn.Module):
    def forward(self, logits, target):
        return F.nll_loss(F.log_softmax(logits, dim=-1), target)


@loss()
class CrossEntropy(nn.Module):
    def forward(self, logits, target):
        return F.cross_entropy(logits, target)


parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="mse", choices=list(LOSSES))
args = parser.parse_args()
print(LOSSES[args.loss]()(torch.randn(4, 3), torch.rand(4)))
