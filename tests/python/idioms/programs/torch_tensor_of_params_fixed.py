import torch
import torch.nn as nn


class Mixture(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.tensor(0.1))
        self.beta = nn.Parameter(torch.tensor(0.2))
        self.experts = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])

    def forward(self, x):
        w = torch.softmax(torch.stack([self.alpha, self.beta]), dim=0)
        return w[0] * self.experts[0](x) + w[1] * self.experts[1](x)


torch.manual_seed(0)
m = Mixture()
opt = torch.optim.SGD(m.parameters(), lr=0.5)
x = torch.randn(16, 4)
for _ in range(10):
    opt.zero_grad()
    m(x).pow(2).mean().backward()
    opt.step()
print("alpha %.4f beta %.4f" % (m.alpha.item(), m.beta.item()))
