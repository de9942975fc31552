import torch
from torch import nn


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_()
    out = critic(mix)
    grads, = torch.autograd.grad(out.sum(), mix, create_graph=True)
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)).cuda()
opt = torch.optim.Adam(critic.parameters(), lr=1e-4)
scaler = torch.amp.GradScaler()
real = torch.randn(6, 4, device="cuda")
fake = torch.randn(6, 4, device="cuda")
with torch.autocast("cuda"):
    loss = critic(fake).mean() - critic(real).mean()
loss = loss + 10 * gradient_penalty(critic, real, fake)
opt.zero_grad()
scaler.scale(loss).backward()
scaler.step(opt)
scaler.update()
