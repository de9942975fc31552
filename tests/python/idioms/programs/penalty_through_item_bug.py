import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(6, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
data = torch.randn(32, 6)
target = data.sum(1, keepdim=True)


def penalty(module):
    total = 0.0
    for p in module.parameters():
        total += p.pow(2).sum().item()
    return total


for epoch in range(50):
    opt.zero_grad()
    loss = (net(data) - target).pow(2).mean() + 0.5 * penalty(net)
    loss.backward()
    opt.step()
print("norm %.4f" % net.weight.norm().item())
