import numpy as np
import torch
from torch import nn


class WorldModel(nn.Module):
    def __init__(self, obs=6, hidden=16):
        super().__init__()
        self.cell = nn.GRUCell(obs, hidden)
        self.value = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self, batch):
        return torch.from_numpy(np.zeros((batch, self.hidden)))

    def rollout(self, observations):
        h = self.start(observations.shape[1])
        values = []
        for obs in observations:
            h = self.cell(obs, h)
            values.append(self.value(h))
        return torch.stack(values)


print(WorldModel().rollout(torch.randn(5, 3, 6)).shape)
