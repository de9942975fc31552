import random
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))


class ReplayBuffer:
    def __init__(self, capacity):
        self.memory = deque(maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, k):
        return Transition(*zip(*random.sample(self.memory, k)))

    def __len__(self):
        return len(self.memory)


class QNet(nn.Module):
    def __init__(self, n_obs=4, n_act=2):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU(), nn.Linear(32, n_act))

    def forward(self, x):
        return self.layers(x)


def optimize(policy, target, buffer, opt, batch=8, gamma=0.99):
    if len(buffer) < batch:
        return
    t = buffer.sample(batch)
    state = torch.as_tensor(np.stack(t.state), dtype=torch.float32)
    nxt = torch.as_tensor(np.stack(t.next_state), dtype=torch.float32)
    action = torch.tensor(t.action, dtype=torch.int64).unsqueeze(1)
    reward = torch.tensor(t.reward, dtype=torch.float32)
    done = torch.tensor(t.done, dtype=torch.float32)
    q = policy(state).gather(1, action).squeeze(1)
    with torch.no_grad():
        best = target(nxt).max(1)[0]
    loss = F.smooth_l1_loss(q, reward + gamma * best * (1 - done))
    opt.zero_grad()
    loss.backward()
    opt.step()


policy, target = QNet(), QNet()
target.load_state_dict(policy.state_dict())
opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
buf = ReplayBuffer(1000)
state = np.zeros(4)
for step in range(20):
    action = random.randrange(2)
    nxt, reward, done = np.random.rand(4), 1.0, False
    buf.push(state, action, reward, nxt, done)
    state = nxt
    optimize(policy, target, buf, opt)
