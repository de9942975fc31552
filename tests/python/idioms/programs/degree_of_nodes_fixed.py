import torch
from torch import nn


def degrees(edges, nodes):
    ones = torch.ones(edges.shape[1])
    total = torch.zeros(nodes)
    return total.scatter_add_(0, edges[1], ones)


class MeanConv(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.lin = nn.Linear(a, b)

    def forward(self, x, edges):
        summed = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
        return self.lin(summed / degrees(edges, x.shape[0]).clamp(min=1).unsqueeze(1))


edges = torch.randint(0, 10, (2, 30))
print(MeanConv(4, 4)(torch.randn(10, 4), edges).shape)
