import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


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


# What is chosen by an index, kept as a number, or checkpointed, and is trained by another way as well.
chooser, experts = nn.Linear(8, 3), nn.Linear(8, 3)
both = torch.optim.SGD([*chooser.parameters(), *experts.parameters()], lr=0.1)
history = []
for _ in range(10):
    x = torch.randn(3, 8)
    scores = chooser(x)
    chosen = scores.argmax(dim=1, keepdim=True)
    taken = (experts(x) * scores.softmax(1)).gather(1, chosen)
    both.zero_grad()
    taken.mean().backward()
    both.step()
    history.append(scores.mean().item())

stem, top = nn.Linear(8, 8), nn.Linear(8, 2)
whole = torch.optim.SGD([*stem.parameters(), *top.parameters()], lr=0.1)
for _ in range(10):
    whole.zero_grad()
    x = torch.randn(3, 8, requires_grad=True)
    h = checkpoint(stem, x, use_reentrant=True)
    top(checkpoint(torch.tanh, h, use_reentrant=True)).mean().backward()
    whole.step()


encoder = nn.Linear(4, 2)
mean, spread = encoder(torch.randn(2, 4)).chunk(2, -1)
elbow = (mean - 1).pow(2).mean()
shown = elbow.item()
elbow += -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum()
elbow /= 2
elbow.backward()
shown += elbow.item()
total = torch.zeros(())
for k in range(3):
    part = encoder(torch.randn(2, 4)).pow(2).mean()
    total += part
    shown += part.item()
total.backward()
print(shown)
