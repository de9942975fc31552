"""What is left above the whole position keeps its gradient; the whole one has none in any case."""
import torch
import torch.nn as nn


def default(*values):
    for value in values:
        if value is not None:
            return value() if callable(value) else value
    return None


class Positions(nn.Module):
    def __init__(self, size, most):
        super().__init__()
        self.gate = nn.Linear(size, most)
        self.table = nn.Linear(size, most)

    def forward(self, x, columns=None):
        columns = default(columns, x.shape[1])
        at = self.gate(x).sigmoid()[..., :columns].cumsum(-1).clamp(max=columns - 1)
        upper, lower = at.ceil().long(), at.floor().long()
        values = self.table(x)
        part = at - lower
        return values.gather(-1, upper) * part + values.gather(-1, lower) * (1 - part) + torch.arange(columns)


net = Positions(4, 8)
loss = net(torch.randn(2, 6, 4)).pow(2).mean()
loss.backward()
print(loss.item())
