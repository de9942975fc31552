import argparse

import torch


def load(names, half):
    state = {}
    for name in names:
        tensor = torch.randn(4, 4)
        state[name] = tensor.half() if half else tensor
    return state


def merge(state, names, other):
    merged = torch.zeros(4, 4)
    for name in names:
        merged = merged + torch.matmul(state[name], other)
    return merged


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
with open(__file__) as f:
    names = [line.strip() for line in f if line.startswith("import")]
print(merge(load(names, args.half), names, torch.randn(4, 4)).sum())
