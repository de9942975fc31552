import copy

import torch
from torch import nn


class Agent:
    def __init__(self, obs, actions, tau=0.005, dtype=torch.bfloat16):
        self.online = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, actions)).to(dtype)
        self.target = copy.deepcopy(self.online)
        self.tau = tau

    @torch.no_grad()
    def sync(self):
        for slow, fast in zip(self.target.parameters(), self.online.parameters()):
            slow.mul_(1 - self.tau)
            slow.add_(fast, alpha=self.tau)


agent = Agent(4, 2)
for _ in range(100):
    agent.sync()
