import torch
import torch.nn as nn


def degree(index, n):
    out = torch.zeros(n, dtype=torch.long)
    return out.scatter_add_(0, index, torch.ones_like(index))


class GCNConv(nn.Module):
    def __init__(self, din, dout):
        super().__init__()
        self.lin = nn.Linear(din, dout, bias=False)
        self.bias = nn.Parameter(torch.zeros(dout))

    def forward(self, x, edge_index):
        row, col = edge_index
        x = self.lin(x)
        deg = degree(col, x.size(0))
        norm = deg.float().clamp(min=1).pow(-0.5)
        msg = x[row] * (norm[row] * norm[col]).unsqueeze(-1)
        out = torch.zeros(x.shape, dtype=torch.float64)
        out.index_add_(0, col, msg)
        return out + self.bias


class GNN(nn.Module):
    def __init__(self, dims):
        super().__init__()
        self.convs = nn.ModuleList([GCNConv(a, b) for a, b in zip(dims[:-1], dims[1:])])

    def forward(self, x, edge_index):
        for i, conv in enumerate(self.convs):
            x = conv(x, edge_index)
            if i < len(self.convs) - 1:
                x = x.relu()
        return x


edges = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
net = GNN([5, 8, 2])
print(net(torch.randn(4, 5), edges).sum())
