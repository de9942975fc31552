import torch
from torch import nn


class MeanAggregate(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)

    def forward(self, x, edges):
        src, dst = edges
        msg = self.lin(x)[src]
        out = torch.zeros(x.shape, device=x.device)
        out.index_add_(0, dst, msg)
        deg = torch.bincount(dst, minlength=x.size(0)).clamp(min=1)
        return out / deg.unsqueeze(-1)


class GNN(nn.Module):
    def __init__(self, dim, layers):
        super().__init__()
        self.layers = nn.ModuleList([MeanAggregate(dim) for _ in range(layers)])

    def forward(self, x, edges):
        for layer in self.layers:
            x = torch.relu(layer(x, edges)).to(x.dtype)
        return x


net = GNN(8, 2).to(torch.bfloat16)
x = torch.randn(5, 8).to(torch.bfloat16)
edges = torch.randint(0, 5, (2, 12))
print(net(x, edges).dtype)
