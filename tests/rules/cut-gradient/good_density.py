# A policy is trained by how likely its actions were.
import torch
from torch import nn
from torch.distributions import Normal

policy, critic = nn.Linear(4, 2), nn.Linear(2, 1)
optimizer = torch.optim.SGD([*policy.parameters(), *critic.parameters()], lr=0.1)
for _ in range(10):
    q = Normal(policy(torch.randn(3, 4)), 1.0)
    action = q.sample()
    value = critic(action)
    loss = value.pow(2).mean() - (q.log_prob(action).sum(-1) * value.detach().squeeze(-1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
