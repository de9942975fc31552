import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 1)
        self.scale = nn.Parameter(torch.ones(()))
        self.gate = nn.Parameter(torch.zeros(()))
        self.mix = nn.Parameter(torch.zeros(()))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        x = self.fc(x) * float(self.scale)  # expect: cut-gradient warning
        x = x * torch.sigmoid(self.gate.detach())  # expect: cut-gradient warning
        x = x * torch.tensor([self.mix])  # expect: cut-gradient warning
        b = self.bias.exp().item()  # expect: cut-gradient warning
        return x * b


def penalty(module):
    total = 0.0
    for p in module.parameters():
        total += p.pow(2).sum().item()  # expect: cut-gradient warning
    return total


model = Scaled()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = model(torch.randn(2, 4)).pow(2).mean() + 0.5 * penalty(model)
    loss.backward()
    optimizer.step()

logits = model(torch.randn(2, 4))
parts = []
for k in range(2):
    parts.append((logits[k] - 1).pow(2).sum().item())  # expect: cut-gradient warning
wrong = (logits > 0).float().mean()  # expect: cut-gradient warning
(logits.mean() * 2 + sum(parts) + wrong).backward()

fit = model(torch.randn(2, 4)).pow(2).mean()
again = torch.tensor(fit.item(), requires_grad=True)  # expect: cut-gradient warning
again.backward()


# Nothing is recorded in the first half, or its result is only compared.
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 8)

    @torch.no_grad()
    def forward(self, x):
        return torch.tanh(self.net(x))  # expect: cut-gradient warning


class Gate(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 8)

    def forward(self, x):
        keep = torch.sigmoid(self.gate(x)) > 0.5  # expect: cut-gradient warning
        return x * keep.float()


encoder, last = Encoder(), nn.Linear(8, 2)
optimizer = torch.optim.SGD([*encoder.parameters(), *last.parameters()], lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    last(encoder(torch.randn(3, 8))).mean().backward()
    optimizer.step()

gate, end = Gate(), nn.Parameter(torch.ones(8, 2))
trainer = torch.optim.SGD([*gate.parameters(), end], lr=0.1)
for _ in range(10):
    trainer.zero_grad()
    (gate(torch.randn(3, 8)) @ end).mean().backward()
    trainer.step()


# A choice by the index of the largest, numbers that a list keeps, and a reentrant checkpoint of what needs no gradient.
chooser, experts = nn.Linear(8, 3), nn.Linear(8, 3)
both = torch.optim.SGD([*chooser.parameters(), *experts.parameters()], lr=0.1)
for _ in range(10):
    x = torch.randn(3, 8)
    chosen = chooser(x).argmax(dim=1)  # expect: cut-gradient warning
    both.zero_grad()
    experts(x).gather(1, chosen.unsqueeze(1)).mean().backward()
    both.step()

policy, value = nn.Linear(8, 1), nn.Linear(8, 1)
actor_critic = torch.optim.SGD([*policy.parameters(), *value.parameters()], lr=0.1)
for _ in range(10):
    kept, values = [], []
    for _ in range(4):
        x = torch.randn(8)
        kept.append(policy(x).sum().item())  # expect: cut-gradient warning
        values.append(value(x).sum())
    actor_critic.zero_grad()
    (torch.tensor(kept) * torch.stack(values)).mean().backward()
    actor_critic.step()


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 8)

    def forward(self, x):
        return self.net(x)  # expect: cut-gradient warning


stem, top = Stem(), nn.Linear(8, 2)
whole = torch.optim.SGD([*stem.parameters(), *top.parameters()], lr=0.1)
for _ in range(10):
    whole.zero_grad()
    top(checkpoint(stem, torch.randn(3, 8), use_reentrant=True)).mean().backward()
    whole.step()


encoder = nn.Linear(4, 2)
mean, spread = encoder(torch.randn(2, 4)).chunk(2, -1)
elbow = (mean - 1).pow(2).mean()
elbow += -0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum().item()  # expect: cut-gradient warning
elbow.backward()
