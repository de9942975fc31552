import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 1)
        self.temperature = nn.Parameter(torch.tensor([1.5]))

    def forward(self, x):
        return self.out(x) / self.temperature


model = Scaled()

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
