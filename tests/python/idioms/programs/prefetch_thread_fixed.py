import queue
import threading

import numpy as np
import torch
from torch import nn


class Prefetcher:
    def __init__(self, n, size=4):
        self.queue = queue.Queue(maxsize=size)
        self.thread = threading.Thread(target=self._work, args=(n,), daemon=True)
        self.thread.start()

    def _work(self, n):
        rng = np.random.default_rng(0)
        for _ in range(n):
            x = rng.normal(size=(8, 16)).astype(np.float32)
            self.queue.put(torch.from_numpy(x))
        self.queue.put(None)

    def __iter__(self):
        while True:
            batch = self.queue.get()
            if batch is None:
                return
            yield batch


def main():
    net = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    total = 0.0
    for batch in Prefetcher(20):
        out = net(batch)
        total += out.sum().item()
    print(total)


if __name__ == "__main__":
    main()
