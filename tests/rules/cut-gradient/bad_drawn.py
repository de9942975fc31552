import torch
from torch import autograd, nn
from torch.distributions import Normal


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 4)
        self.decoder = nn.Linear(2, 8)

    def forward(self, x):
        mean, scale = self.encoder(x).chunk(2, dim=-1)
        q = Normal(mean, scale.exp())
        z = q.sample()  # expect: cut-gradient warning
        return self.decoder(z), mean


def penalty(critic, x, create):
    x = x.requires_grad_(True)
    out = critic(x).sum()
    gradient = autograd.grad(out, x, retain_graph=True)[0]  # expect: cut-gradient warning
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


model, critic = VAE(), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*model.parameters(), *critic.parameters()], lr=0.1)
for _ in range(10):
    x = torch.randn(3, 8)
    y, mean = model(x)
    drawn = torch.normal(mean, torch.ones_like(mean))  # expect: cut-gradient warning
    loss = (y - x).pow(2).mean() + mean.pow(2).mean() + model.decoder(drawn).pow(2).mean()
    loss = loss + critic(x).mean() + 10 * penalty(critic, x.detach(), False)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
