import collections

import torch
from torch import nn


def average(states):
    total = collections.OrderedDict()
    for state in states:
        for k, v in state.items():
            if k in total:
                total[k] += v
            else:
                total[k] = v.clone()
    for k in total:
        total[k] = total[k] // len(states)
    return total


def main():
    torch.manual_seed(0)
    models = [nn.Linear(4, 4) for _ in range(3)]
    merged = nn.Linear(4, 4)
    merged.load_state_dict(average([m.state_dict() for m in models]))
    print(merged.weight.abs().mean().item())


main()
