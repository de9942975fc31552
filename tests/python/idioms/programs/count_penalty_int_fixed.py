import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(16, 16)
        self.heads = nn.Linear(16, 1)

    def forward(self, x):
        h = torch.relu(self.backbone(x))
        return h, self.heads(h).squeeze(-1)


model = Counter()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(3):
    x = torch.randn(32, 16)
    target = torch.randint(0, 20, (32,))
    h, count = model(x)
    error = (count - target).abs().mean()
    loss = h.pow(2).mean() + error
    opt.zero_grad()
    loss.backward()
    opt.step()
