import torch
from torch import nn

net = nn.Linear(3, 1)
x = torch.randn(4, 3)
pred = net(x)
reg = net.weight.pow(2).sum()
loss = torch.tanh(pred).mean()
for w in (1.0, 0.1):
    (loss * w + reg).backward(retain_graph=True)
print(net.weight.grad)
