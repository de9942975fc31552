import torch
import torch.nn as nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, state_dim=4, actions=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(state_dim, 16), nn.Tanh())
        self.pi = nn.Linear(16, actions)
        self.v = nn.Linear(16, 1)

    def forward(self, state):
        h = self.body(state)
        return self.pi(h), self.v(h)


class Agent:
    def __init__(self, gamma=0.99):
        self.net = ActorCritic()
        self.optim = torch.optim.Adam(self.net.parameters(), lr=1e-2)
        self.gamma = gamma
        self.saved_log_probs = []
        self.rewards = []
        self.values = []

    def act(self, state):
        logits, value = self.net(state)
        dist = Categorical(logits=logits)
        action = dist.sample()
        self.saved_log_probs.append(dist.log_prob(action))
        self.values.append(value.squeeze(-1))
        return action.item()

    def calc_policy_loss(self, advs):
        log_probs = torch.stack(self.saved_log_probs)
        return -(log_probs * advs).sum()

    def train(self):
        returns, running = [], 0.0
        for r in reversed(self.rewards):
            running = r + self.gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns)
        values = torch.stack(self.values)
        advs = (returns - values).detach()
        loss = self.calc_policy_loss(advs) + (returns - values).pow(2).mean()
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return self.net.pi.weight.grad


def main():
    torch.manual_seed(0)
    agent = Agent()
    state = torch.zeros(4)
    for _ in range(10):
        action = agent.act(state)
        state = torch.randn(4)
        agent.rewards.append(float(action))
    print(agent.train())


if __name__ == "__main__":
    main()
