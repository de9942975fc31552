import torch
from torch import nn


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.route = nn.Linear(4, 1)
        self.left = nn.Linear(4, 1)
        self.right = nn.Linear(4, 1)

    def forward(self, x):
        p = torch.sigmoid(self.route(x))
        g = p
        return g * self.left(x) + (1 - g) * self.right(x)


model = Mixture()

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
