import torch
from torch import nn
from torch.distributions import Categorical


class Episode:
    def __init__(self):
        self.log_probs, self.rewards = [], []

    def add(self, log_prob, reward):
        self.log_probs.append(log_prob)
        self.rewards.append(reward)

    def returns(self, gamma=0.99):
        rewards = torch.tensor(self.rewards)
        out = torch.zeros(len(rewards))
        running = 0.0
        for i in reversed(range(len(rewards))):
            running = rewards[i] + gamma * running
            out[i] = running
        return out


class Env:
    def reset(self):
        self.t = 0
        return torch.zeros(4)

    def step(self, action):
        self.t += 1
        return torch.randn(4), 1, self.t >= 10


def main():
    policy, env = nn.Linear(4, 2), Env()
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for _ in range(3):
        obs, done, ep = env.reset(), False, Episode()
        while not done:
            dist = Categorical(logits=policy(obs))
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            ep.add(dist.log_prob(action), reward)
        loss = -(torch.stack(ep.log_probs) * ep.returns()).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
