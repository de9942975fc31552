from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Rollout:
    obs: List[torch.Tensor] = field(default_factory=list)
    actions: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)

    def add(self, obs, action, reward):
        self.obs.append(obs)
        self.actions.append(action)
        self.rewards.append(reward)

    def tensors(self, device):
        return torch.stack(self.obs).to(device), torch.stack(self.actions).to(device)


class ActorCritic(nn.Module):
    def __init__(self, n_obs=4, n_act=3):
        super().__init__()
        self.body = nn.Linear(n_obs, 16)
        self.pi = nn.Linear(16, n_act)
        self.v = nn.Linear(16, 1)

    def forward(self, obs):
        h = torch.tanh(self.body(obs))
        return self.pi(h), self.v(h).squeeze(-1)

    def act(self, obs):
        logits, value = self(obs)
        return torch.argmax(logits, -1), value


def discounted(rewards, gamma=0.99):
    out, total = [], 0.0
    for r in reversed(rewards):
        total = r + gamma * total
        out.append(total)
    return torch.tensor(out[::-1])


def train(device="cuda"):
    net = ActorCritic().to(device)
    roll = Rollout()
    obs = torch.zeros(4)
    for _ in range(5):
        with torch.no_grad():
            action, _ = net.act(obs.to(device))
        roll.add(obs, action.cpu(), 1.0)
        obs = torch.rand(4)
    batch, actions = roll.tensors(device)
    returns = discounted(roll.rewards).to(device)
    logits, values = net(batch)
    adv = returns - values
    logp = torch.log_softmax(logits, -1).gather(1, actions.unsqueeze(1)).squeeze(1)
    loss = -(logp * adv.detach()).mean() + adv.pow(2).mean()
    loss.backward()


train()
