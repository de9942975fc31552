import torch
from torch import nn


class HeteroLinear(nn.Module):
    def __init__(self, in_channels, out_channels, num_types):
        super().__init__()
        self.out_channels = out_channels
        self.lins = nn.ModuleList([nn.Linear(in_channels, out_channels) for _ in range(num_types)])

    def forward(self, x, type_vec):
        out = x.new_empty(x.size(0), self.out_channels)
        for i, lin in enumerate(self.lins):
            mask = type_vec == i
            out[mask] = lin(x[mask]).to(out.dtype)
        return out


class GNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = HeteroLinear(16, 32, 3)
        self.cls = nn.Linear(32, 2)

    def forward(self, x, type_vec):
        return self.cls(self.lin(x, type_vec).relu())


model = GNN().cuda()
optimizer = torch.optim.Adam(model.parameters())
scaler = torch.cuda.amp.GradScaler()
x = torch.randn(30, 16, device="cuda")
type_vec = torch.randint(0, 3, (30,), device="cuda")
y = torch.randint(0, 2, (30,), device="cuda")
for epoch in range(2):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        loss = nn.functional.cross_entropy(model(x, type_vec), y)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
