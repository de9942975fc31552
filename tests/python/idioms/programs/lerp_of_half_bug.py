import torch
from torch import nn


@torch.no_grad()
def update_target(target, online, tau):
    for t, o in zip(target.parameters(), online.parameters()):
        t.lerp_(o, tau)


online = nn.Linear(4, 4).bfloat16()
target = nn.Linear(4, 4)
target.load_state_dict(online.state_dict())
for step in range(3):
    update_target(target, online, 0.05)
print(target.weight.dtype)
