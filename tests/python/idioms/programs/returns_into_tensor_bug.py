import torch
from torch import nn


class Reinforce:
    def __init__(self, policy):
        self.policy = policy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)

    def update(self, episodes):
        losses = []
        for obs, actions, returns in episodes:
            logp = self.policy(obs).log_softmax(-1)
            chosen = logp.gather(1, actions[:, None]).squeeze(1)
            losses.append(-(chosen * returns).mean())
        loss = torch.tensor(losses, requires_grad=True).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


learner = Reinforce(nn.Linear(4, 2))
episode = (torch.randn(6, 4), torch.randint(0, 2, (6,)), torch.randn(6))
print(learner.update([episode, episode]))
