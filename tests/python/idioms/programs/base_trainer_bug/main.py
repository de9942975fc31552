import numpy as np
import torch
from torch import nn

from base import BaseRunner


class Tagger(nn.Module):
    def __init__(self, width, tags):
        super().__init__()
        self.conv = nn.Conv1d(1, width, 5, padding=2)
        self.fc = nn.Linear(width, tags)

    def forward(self, x):
        h = torch.relu(self.conv(x)).mean(-1)
        return self.fc(h)


class AudioRunner(BaseRunner):
    def build(self):
        return Tagger(8, 3)

    def preprocess(self, item):
        wave = np.asarray(item, dtype=np.float32)
        return torch.from_numpy(wave).unsqueeze(0)


runner = AudioRunner({"device": "cuda", "fp16": True})
print(runner([[0.1] * 64, [0.2] * 64]))
