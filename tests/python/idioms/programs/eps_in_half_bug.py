import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 4)

    def forward(self, obs):
        return torch.softmax(self.body(obs), dim=-1)


policy = Policy().half().cuda()
obs = torch.randn(5, 8, device="cuda", dtype=torch.float16) * 50
probs = policy(obs)
entropy = -(probs * torch.log(probs + 1e-8)).sum(dim=-1)
print(entropy.mean().item())
