from collections import OrderedDict

import torch
from torch import nn


def average(states, weights):
    out = OrderedDict()
    for k in states[0]:
        out[k] = sum(w * s[k] for s, w in zip(states, weights))
    return out


nets = [nn.Linear(3, 3) for _ in range(2)]
avg = average([n.state_dict() for n in nets], torch.tensor([0.5, 0.5], device="cuda"))
target = nn.Linear(3, 3)
target.load_state_dict(avg)
x = torch.randn(2, 3)
print((x @ avg["weight"]).sum())
