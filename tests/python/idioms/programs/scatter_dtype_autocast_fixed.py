import torch
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)

    def forward(self, x, edge_index):
        src, dst = edge_index
        msg = self.lin(x)[src]
        out = torch.zeros(x.size(0), x.size(1), device=x.device)
        return out.index_add_(0, dst, msg.to(out.dtype))


conv = GraphConv(8).cuda()
x = torch.randn(5, 8, device="cuda")
edges = torch.tensor([[0, 1, 2], [1, 2, 3]], device="cuda")
with torch.autocast("cuda", dtype=torch.float16):
    print(conv(x, edges).dtype)
