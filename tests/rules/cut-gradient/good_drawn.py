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
        return self.decoder(q.rsample()), q

    @torch.no_grad()
    def generate(self, n):
        return self.decoder(Normal(torch.zeros(n, 2), torch.ones(n, 2)).sample())


def penalty(critic, x):
    x = x.requires_grad_(True)
    gradient = autograd.grad(critic(x).sum(), x, create_graph=True)[0]
    return ((gradient.norm(2, dim=1) - 1) ** 2).mean()


model, critic = VAE(), nn.Linear(8, 1)
optimizer = torch.optim.SGD([*model.parameters(), *critic.parameters()], lr=0.1)
for _ in range(10):
    x = torch.randn(3, 8)
    y, q = model(x)
    print(q.sample(), torch.normal(q.mean, torch.ones(3, 2)))
    loss = (y - x).pow(2).mean() + q.mean.pow(2).mean()
    loss = loss + critic(x).mean() + 10 * penalty(critic, x.detach())
    influence = autograd.grad(loss, x.requires_grad_(), retain_graph=True, allow_unused=True)[0]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(model.generate(4), influence)
