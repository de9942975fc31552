import torch
from torch import nn


class Bias(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(4).to(dtype))
        self.out = nn.Linear(4, 1, dtype=dtype)

    def forward(self, x):
        return self.out(x.to(self.bias.dtype) + self.bias).float()


model = Bias(torch.float64)

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
