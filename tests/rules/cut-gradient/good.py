import torch
from torch import nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.scale = nn.Parameter(torch.ones(()))
        self.frozen = nn.Parameter(torch.ones(()), requires_grad=False)
        self.unused = nn.Parameter(torch.ones(()))

    def forward(self, x):
        x = self.fc(x) * self.scale * self.frozen.item()
        # straight through: the gradient goes past the rounding
        return x + (x.round() - x).detach()


class Agent(nn.Module):
    """The temperature has a loss of its own, and is a number in the other one."""

    def __init__(self):
        super().__init__()
        self.actor = nn.Linear(4, 1)
        self.log_alpha = nn.Parameter(torch.zeros(()))

    def losses(self, x):
        entropy = self.actor(x).pow(2).mean()
        return self.log_alpha.exp().item() * entropy, -(self.log_alpha * (entropy.detach() - 1))


model, agent = Scaled(), Agent()
parameters = list(model.parameters()) + list(agent.parameters())
optimizer = torch.optim.SGD(parameters, lr=0.1)
running, shown = 0.0, 0.0
for _ in range(3):
    optimizer.zero_grad()
    x = torch.randn(2, 4)
    first = model(x).pow(2).mean()
    second = model(x).abs().mean()
    # both terms count the same, whatever their sizes
    loss = first + first.item() / (second.item() + 1e-6) * second
    running = running + loss.item()
    shown = loss + second.item()
    loss.backward()
    actor, alpha = agent.losses(x)
    (actor + alpha).backward()
    optimizer.step()
    print(running, shown, float(model.unused))

# What is added before a square or a bound changes the gradient.
scores = model(torch.randn(2, 4))
margin = nn.functional.relu(scores.mean() - scores.min().item() + 1)
spread = (scores - scores.mean().item()).pow(2).mean()
(margin + spread).backward()

# Rounded, with the gradient of what was rounded.
soft = torch.sigmoid(model(torch.randn(2, 4)))
hard = (soft > 0.5).float() - soft.detach() + soft
hard.mean().backward()
