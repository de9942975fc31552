import torch
import torch.nn as nn


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores = nn.Linear(4, 3)
        self.history = []

    def choose(self, seen):
        shares = self.scores(seen).log_softmax(-1)
        action = int(torch.multinomial(shares.exp(), 1))
        self.history.append(shares[action].item())
        return action


torch.manual_seed(0)
agent = Agent()
opt = torch.optim.Adam(agent.parameters(), lr=0.1)
before = agent.scores.weight.detach().clone()
for _ in range(3):
    rewards = torch.tensor([float(agent.choose(torch.randn(4))) for _ in range(5)])
    loss = -(torch.tensor(agent.history) * rewards).sum()
    loss.requires_grad_()
    opt.zero_grad()
    loss.backward()
    opt.step()
    agent.history.clear()
print((agent.scores.weight - before).abs().max())
