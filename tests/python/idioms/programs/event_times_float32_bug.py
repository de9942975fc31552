import numpy as np
import torch
from torch import nn


def load_events(n):
    rng = np.random.default_rng(0)
    start = 1_700_000_000.0
    return start + np.cumsum(rng.uniform(0.5, 2.0, n))


def main():
    times = load_events(256)
    t = torch.from_numpy(times.astype(np.float32))
    gaps = t[1:] - t[:-1]
    rnn = nn.GRU(1, 8, batch_first=True)
    out, _ = rnn(gaps.reshape(1, -1, 1))
    print(gaps.mean().item(), gaps.min().item(), out.shape)


main()
