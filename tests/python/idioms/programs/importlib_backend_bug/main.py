import importlib
import sys

import torch


def load_backend(name):
    mod = importlib.import_module(f"backends.{name}")
    return mod.Scorer(8)


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "dense"
    scorer = importlib.import_module("backends.dense").Scorer(8)
    x = torch.randn(4, 8, dtype=torch.float64)
    print(scorer.score(x))


if __name__ == "__main__":
    main()
