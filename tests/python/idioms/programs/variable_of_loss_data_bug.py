import torch
import torch.nn as nn
from torch.autograd import Variable


def train_step(model, opt, x, y):
    out = model(x)
    loss = nn.functional.cross_entropy(out, y)
    loss = Variable(loss.data, requires_grad=True)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
x, y = torch.randn(16, 4), torch.randint(0, 2, (16,))
losses = [train_step(model, opt, x, y) for _ in range(10)]
print("improved", losses[-1] < losses[0] - 1e-6)
