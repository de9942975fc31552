import torch


def select_actions(q_values, actions):
    return q_values.gather(1, actions.unsqueeze(1)).squeeze(1)


class ReplayBuffer:
    def __init__(self, capacity, obs_dim):
        self.obs = torch.zeros(capacity, obs_dim)
        self.actions = torch.zeros(capacity)
        self.size = 0

    def push(self, obs, action):
        i = self.size % len(self.obs)
        self.obs[i] = obs
        self.actions[i] = action
        self.size += 1

    def sample(self, n):
        idx = torch.randint(0, self.size, (n,))
        return self.obs[idx], self.actions[idx]


buf = ReplayBuffer(100, 4)
for t in range(20):
    buf.push(torch.randn(4), t % 2)
qnet = torch.nn.Linear(4, 2)
obs, act = buf.sample(8)
print(select_actions(qnet(obs), act))
