"""A gradient that is a part of a loss itself needs its own graph."""
import torch
import torch.nn as nn

critic = nn.Sequential(nn.Linear(8, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
opt = torch.optim.Adam(critic.parameters())


def penalty(critic, real):
    x = real.clone().requires_grad_(True)
    out = critic(x)
    grad = torch.autograd.grad(out, x, grad_outputs=torch.ones_like(out), create_graph=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


for _ in range(2):
    loss = penalty(critic, torch.randn(4, 8))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
