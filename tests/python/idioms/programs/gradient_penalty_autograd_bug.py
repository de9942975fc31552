import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, d=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = critic(mix)
    (grad,) = torch.autograd.grad(score.sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
critic = Critic().to(device)
real = torch.randn(5, 6).to(device)
fake = torch.randn(5, 6).to(device)
loss = critic(fake).mean() - critic(real).mean() + 10 * gradient_penalty(critic, real, fake)
loss.backward()
