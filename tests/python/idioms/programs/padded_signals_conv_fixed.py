import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


def load_signals(count):
    rng = np.random.RandomState(1)
    return [rng.randn(rng.randint(40, 60)) for _ in range(count)]


def collate(signals):
    lengths = torch.tensor([len(s) for s in signals])
    tensors = [torch.tensor(s, dtype=torch.float32) for s in signals]
    return pad_sequence(tensors, batch_first=True), lengths


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 4, 5, padding=2), nn.ReLU(), nn.Conv1d(4, 1, 1))

    def forward(self, x):
        return self.net(x.unsqueeze(1)).squeeze(1)


signals, lengths = collate(load_signals(6))
print(Detector()(signals).shape, lengths.max())
