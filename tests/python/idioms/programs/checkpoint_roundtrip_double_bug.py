import io
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn


class Normalizer(nn.Module):
    """Keeps running statistics that were computed offline by numpy."""

    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("std", torch.from_numpy(std))

    def forward(self, x):
        return (x - self.mean) / self.std


class Regressor(nn.Module):
    def __init__(self, stats):
        super().__init__()
        self.norm = Normalizer(*stats)
        self.net = nn.Sequential(nn.Linear(6, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x):
        x = self.norm(x)
        return self.net(x).squeeze(-1)


def load_stats(path: Path):
    if path.exists():
        data = np.load(path)
        return data["mean"], data["std"]
    rng = np.random.default_rng(0)
    sample = rng.normal(size=(100, 6))
    return sample.mean(axis=0), sample.std(axis=0)


def main():
    sample = np.random.default_rng(0).normal(size=(100, 6))
    stats = sample.mean(axis=0), sample.std(axis=0)
    model = Regressor(stats)
    buf = io.BytesIO()
    torch.save(model.state_dict(), buf)
    buf.seek(0)
    restored = Regressor(stats)
    restored.load_state_dict(torch.load(buf))
    restored.eval()
    with torch.no_grad():
        print(restored(torch.randn(10, 6)))


if __name__ == "__main__":
    main()
