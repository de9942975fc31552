import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, observations, actions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(observations, 32), nn.Tanh())
        self.pi = nn.Linear(32, actions)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def rollout(model, steps):
    log_probs, values, rewards = [], [], []
    obs = torch.randn(4)
    for _ in range(steps):
        dist, value = model(obs)
        action = dist.sample()
        log_probs.append(dist.log_prob(action).item())
        values.append(value)
        rewards.append(1.0 if action.item() == 0 else 0.0)
        obs = torch.randn(4)
    return log_probs, values, rewards


def returns_of(rewards, gamma):
    out, g = [], 0.0
    for r in reversed(rewards):
        g = r + gamma * g
        out.insert(0, g)
    return torch.tensor(out)


model = ActorCritic(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for episode in range(5):
    log_probs, values, rewards = rollout(model, 12)
    returns = returns_of(rewards, 0.99)
    values = torch.stack(values)
    advantages = returns - values.detach()
    policy_loss = -(torch.tensor(log_probs) * advantages).mean()
    value_loss = (returns - values).pow(2).mean()
    loss = policy_loss + 0.5 * value_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(episode, sum(rewards))
