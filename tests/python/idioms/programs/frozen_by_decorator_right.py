import torch
from torch import nn


class TextEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 8)
        self.outer = nn.Linear(8, 1)

    @torch.inference_mode(False)
    def encode(self, x):
        return torch.tanh(self.inner(x))

    def forward(self, x):
        return self.outer(self.encode(x))


model = TextEncoder()

optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
