import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
m = nn.Linear(4, 2)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
x = torch.randn(3, 4)
for _ in range(5):
    l1 = float(np.abs(m.weight.detach().numpy()).sum())
    loss = m(x).pow(2).mean() + 0.1 * l1
    opt.zero_grad()
    loss.backward()
    opt.step()
print(m.weight.abs().sum().item())
