import torch
from torch import nn

net = nn.Linear(4, 1)


def float_copies(module):
    copies = []
    for w in module.parameters():
        w = w.detach().clone().requires_grad_()
        copies.append(w)
    return copies


optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for _ in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(torch.randn(8, 4)), torch.zeros(8, 1))
    loss.backward()
    optimizer.step()
print(loss.item())
