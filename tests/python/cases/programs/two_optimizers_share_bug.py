import copy

import torch
from torch import nn


def make(model):
    return torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)


def step(model, opt, x):
    loss = model(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def fork(model, opt):
    clone = copy.deepcopy(model)
    clone_opt = make(clone)
    clone_opt.load_state_dict(opt.state_dict())
    return clone, clone_opt


torch.manual_seed(0)
model = nn.Linear(4, 2)
opt = make(model)
x = torch.randn(8, 4)
step(model, opt, x)
clone, clone_opt = fork(model, opt)
before = [s["momentum_buffer"].clone() for s in clone_opt.state.values()]
step(model, opt, x)
after = [s["momentum_buffer"] for s in clone_opt.state.values()]
print(all(torch.equal(a, b) for a, b in zip(before, after)))
