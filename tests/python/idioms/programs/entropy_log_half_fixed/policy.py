import torch
from torch import nn

from losses import entropy


class Policy(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, actions))

    def forward(self, x):
        return torch.softmax(self.body(x), dim=-1)


policy = Policy(6, 4).to("cuda").half()
obs = torch.randn(16, 6).cuda().half()
loss = -0.01 * entropy(policy(obs))
loss.backward()
