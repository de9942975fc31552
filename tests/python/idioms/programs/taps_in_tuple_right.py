import torch
from torch import nn


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.taps = nn.ParameterList(nn.Parameter(torch.ones(4) / k) for k in (1, 2, 3))
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(sum(x * t for t in self.taps))


model = Filter()

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
