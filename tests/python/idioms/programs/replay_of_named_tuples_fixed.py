import random
from collections import deque, namedtuple

import torch
from torch import nn

Transition = namedtuple("Transition", ("state", "action", "reward"))


class Replay:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *members):
        self.memory.append(Transition(*members))

    def sample(self, count):
        return Transition(*zip(*random.sample(self.memory, count)))


replay = Replay(100)
for _ in range(20):
    action = torch.tensor([[random.randrange(2)]], dtype=torch.long, device="cuda")
    replay.push(torch.randn(1, 4, device="cuda"), action, torch.ones(1, device="cuda"))
policy = nn.Linear(4, 2).cuda()
batch = replay.sample(8)
states, actions = torch.cat(batch.state), torch.cat(batch.action)
print(policy(states).gather(1, actions))
