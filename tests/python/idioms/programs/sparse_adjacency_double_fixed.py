import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def normalized_adjacency(edges, n):
    a = np.eye(n)
    for i, j in edges:
        a[i, j] = a[j, i] = 1
    d = 1 / np.sqrt(a.sum(1))
    a = d[:, None] * a * d[None, :]
    rows, cols = a.nonzero()
    index = torch.from_numpy(np.stack([rows, cols]))
    values = torch.from_numpy(a[rows, cols].astype(np.float32))
    return torch.sparse_coo_tensor(index, values, (n, n))


class GraphConvolution(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        support = torch.mm(x, self.weight)
        return torch.sparse.mm(adj, support) + self.bias


class GCN(nn.Module):
    def __init__(self, features, hidden, classes):
        super().__init__()
        self.gc1 = GraphConvolution(features, hidden)
        self.gc2 = GraphConvolution(hidden, classes)

    def forward(self, x, adj):
        x = F.dropout(F.relu(self.gc1(x, adj)), 0.5, self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


n = 30
adj = normalized_adjacency([(i, (i * 7 + 1) % n) for i in range(n)], n)
model = GCN(12, 16, 3)
loss = F.nll_loss(model(torch.randn(n, 12), adj), torch.randint(3, (n,)))
loss.backward()
print(loss.item())
