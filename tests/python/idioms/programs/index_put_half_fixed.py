import torch


class ReplayBuffer:
    def __init__(self, capacity, features):
        self.states = torch.zeros(capacity, features)
        self.position = 0
        self.capacity = capacity

    def add(self, states):
        n = states.size(0)
        index = (torch.arange(n) + self.position) % self.capacity
        self.states[index] = states.to(self.states.dtype)
        self.position = (self.position + n) % self.capacity


buffer = ReplayBuffer(100, 4)
for step in range(3):
    buffer.add(torch.randn(8, 4, dtype=torch.float64))
print(buffer.position)
