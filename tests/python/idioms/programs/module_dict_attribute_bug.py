# Modules of a dict, called as its attributes: what they are given is bfloat16.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict(dict(table=nn.Embedding(8, 4), drop=nn.Dropout(0.1)))

    def forward(self, tokens):
        x = self.layers.drop(self.layers.table(tokens))
        return x @ torch.ones(4, 8)


print(Net().bfloat16()(torch.zeros(1, 2, dtype=torch.long)).float().sum())
