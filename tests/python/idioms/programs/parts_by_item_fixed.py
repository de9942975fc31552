import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, y = torch.randn(10, 4), torch.randn(10, 3)
for _ in range(20):
    out = net(x)
    parts = []
    for k in range(3):
        parts.append((out[:, k] - y[:, k]).pow(2).mean())
    loss = out.abs().mean() * 0.01 + sum(parts)
    opt.zero_grad()
    loss.backward()
    opt.step()
print("fit %.3f" % (net(x) - y).pow(2).mean().item())
