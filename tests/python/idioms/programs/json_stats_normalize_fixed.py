import json
from pathlib import Path

import torch
import torch.nn as nn

STATS = {"mean": [0.1, 0.2, 0.3], "std": [1.0, 2.0, 3.0]}


class Standardize(nn.Module):
    def __init__(self, stats, device=None):
        super().__init__()
        for k, v in stats.items():
            setattr(self, k, torch.tensor(v, device=device))

    def forward(self, x):
        return (x - self.mean) / self.std


def load_stats(path):
    p = Path(path)
    return json.loads(p.read_text()) if p.is_file() else STATS


def main():
    device = torch.device("cuda:0")
    model = nn.Sequential(Standardize(STATS, device), nn.Linear(3, 1)).to(device)
    print(model(torch.rand(4, 3, device=device)).shape)


if __name__ == "__main__":
    main()
