import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Stem(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(12, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        return self.norm(torch.relu(self.proj(x)))


class Net(nn.Module):
    def __init__(self, dim=16, classes=3):
        super().__init__()
        self.stem = Stem(dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        h = checkpoint(self.stem, x, use_reentrant=False)
        return self.head(h)


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    x, y = torch.randn(8, 12), torch.randint(0, 3, (8,))
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
