import torch
from torch import nn


class Seq(nn.Module):
    def __init__(self, n, h):
        super().__init__()
        self.h = h
        self.cell = nn.GRUCell(n, h)
        self.out = nn.Linear(h, n)

    def init_hidden(self, batch):
        return self.out.weight.new_zeros(batch, self.h)

    def forward(self, xs):
        h = self.init_hidden(xs.size(0))
        ys = []
        for t in range(xs.size(1)):
            h = self.cell(xs[:, t], h)
            ys.append(self.out(h))
        return torch.stack(ys, 1)


net = Seq(4, 8).double()
print(net(torch.randn(2, 5, 4, dtype=torch.double)).shape)
