import torch
from torch import nn


def batches(n, dtype):
    for i in range(n):
        x = torch.randn(4, 6)
        yield x.to(dtype), torch.randint(0, 2, (4, 1))


class Logistic(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(6, 1))
        self.b = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return x @ self.w + self.b


model = Logistic()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in batches(3, torch.float32):
    loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
