import copy

import torch
from torch import nn


class DDPG:
    def __init__(self, obs, act, tau=0.001):
        self.tau = tau
        self.actor = nn.Sequential(nn.Linear(obs, 16), nn.ReLU(), nn.Linear(16, act), nn.Tanh())
        self.actor.to(torch.float32)
        self.target = copy.deepcopy(self.actor)

    @torch.no_grad()
    def soft_update(self):
        for t, s in zip(self.target.parameters(), self.actor.parameters()):
            t.data.copy_((1 - self.tau) * t.data + self.tau * s.data)


agent = DDPG(4, 2)
for step in range(1000):
    with torch.no_grad():
        for p in agent.actor.parameters():
            p.add_(0.01 * torch.randn_like(p))
    agent.soft_update()
print(agent.target[0].weight.mean())
