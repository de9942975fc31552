import torch
from torch import nn


class ObsNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def forward(self, x):
        self.steps += 1
        self.mean += (x.mean(0) - self.mean) / self.steps
        return x - self.mean


def main():
    torch.manual_seed(0)
    norm = ObsNorm(4)
    norm = norm.bfloat16()
    policy = nn.Linear(4, 2).bfloat16()
    for i in range(3000):
        obs = torch.rand(8, 4) + i / 1500
        action = policy(norm(obs.to(norm.mean.dtype)).bfloat16())
    print(norm.mean.float().mean().item(), action.dtype)


main()
