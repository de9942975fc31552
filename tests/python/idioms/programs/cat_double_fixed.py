import numpy as np
import torch
from torch import nn


class Fusion(nn.Module):
    def __init__(self, image_dim, meta_dim):
        super().__init__()
        self.image = nn.Linear(image_dim, 8)
        self.head = nn.Linear(8 + meta_dim, 2)

    def forward(self, image, meta):
        h = torch.relu(self.image(image))
        h = torch.cat([h, meta], dim=1)
        return self.head(h)


class Metadata:
    def __init__(self, table):
        lo, hi = table.min(axis=0), table.max(axis=0)
        self.table = (table - lo) / (hi - lo)

    def lookup(self, ids):
        return torch.from_numpy(self.table[ids]).float()


table = np.array([[18.0, 1], [65, 0], [40, 1], [33, 0]])
meta = Metadata(table)
net = Fusion(16, 2)
print(net(torch.randn(3, 16), meta.lookup(np.array([0, 2, 3]))))
