import argparse
from collections import Counter

import numpy as np
import torch
import torch.nn as nn


def class_weights(labels, n):
    counts = Counter(labels)
    freq = np.array([counts[i] for i in range(n)])
    w = freq.sum() / (n * np.maximum(freq, 1))
    return torch.from_numpy(w).float()


class Head(nn.Module):
    def __init__(self, d, n, weights=None):
        super().__init__()
        self.fc = nn.Linear(d, n)
        self.criterion = nn.CrossEntropyLoss(weight=weights)

    def forward(self, x, y=None):
        logits = self.fc(x)
        if y is None:
            return logits
        return self.criterion(logits, y)


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--classes", type=int, default=4)
    p.add_argument("--balanced", action="store_true", default=True)
    opts = p.parse_args(argv)
    labels = np.random.RandomState(0).randint(0, opts.classes, 40).tolist()
    w = class_weights(labels, opts.classes) if opts.balanced else None
    head = Head(6, opts.classes, weights=w)
    loss = head(torch.randn(40, 6), torch.tensor(labels))
    loss.backward()
    print(loss.item())


if __name__ == "__main__":
    main()
