import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.randn(64, 4)
y = (x[:, 0] > 0).long()
for _ in range(30):
    logits = net(x)
    reg = net.weight.pow(2).sum() * 1e-3
    fit = nn.functional.cross_entropy(logits, y)
    loss = fit + reg
    opt.zero_grad()
    loss.backward()
    opt.step()
print("accuracy %.2f" % (net(x).argmax(1) == y).float().mean().item())
