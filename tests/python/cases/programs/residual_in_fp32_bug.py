from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    hidden_size: int = 32
    num_layers: int = 2
    residual_in_fp32: bool = True


class Mixer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.in_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.out_proj = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(self, x):
        return self.out_proj(torch.relu(self.in_proj(x)))


class Block(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.residual_in_fp32 = config.residual_in_fp32
        self.mixer = Mixer(config)

    def forward(self, hidden_states):
        residual = hidden_states
        hidden_states = self.mixer(hidden_states)
        if self.residual_in_fp32:
            residual = residual.float()
        hidden_states = residual + hidden_states
        return hidden_states


class Model(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList([Block(config) for _ in range(config.num_layers)])

    def forward(self, hidden_states):
        for layer in self.layers:
            hidden_states = layer(hidden_states)
        return hidden_states


model = Model(Config()).to(torch.bfloat16)
print(model(torch.randn(1, 4, 32, dtype=torch.bfloat16)).dtype)
