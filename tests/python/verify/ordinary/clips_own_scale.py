# The scale is a number of the program's own: no record of a run has it.
import torch
from torch import nn

net = nn.Linear(3, 1)
sgd = torch.optim.SGD(net.parameters(), lr=0.01)
scale = float(2 ** 10)
(net(torch.ones(2, 3)).mean() * scale).backward()
nn.utils.clip_grad_norm_(net.parameters(), 1.0)
for p in net.parameters():
    p.grad.div_(scale)
sgd.step()
