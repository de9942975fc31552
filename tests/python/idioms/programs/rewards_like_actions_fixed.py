from dataclasses import dataclass, field
import random
import torch


@dataclass
class BufferConfig:
    capacity: int = 128
    obs_dim: int = 4
    device: str = "cpu"


class ReplayBuffer:
    def __init__(self, cfg: BufferConfig):
        self.cfg = cfg
        self.obs = torch.zeros(cfg.capacity, cfg.obs_dim)
        self.actions = torch.zeros(cfg.capacity, dtype=torch.long)
        self.rewards = torch.zeros(cfg.capacity)
        self.pos = 0

    def push(self, obs, action, reward):
        i = self.pos % self.cfg.capacity
        self.obs[i] = obs
        self.actions[i] = action
        self.rewards[i] = reward
        self.pos += 1

    def sample(self, n):
        idx = torch.tensor(random.sample(range(min(self.pos, self.cfg.capacity)), n))
        return self.obs[idx], self.actions[idx], self.rewards[idx]


def main():
    buf = ReplayBuffer(BufferConfig())
    for step in range(64):
        buf.push(torch.randn(4), step % 2, random.random() - 0.5)
    obs, act, rew = buf.sample(16)
    print(rew.float().abs().sum())


if __name__ == "__main__":
    main()
