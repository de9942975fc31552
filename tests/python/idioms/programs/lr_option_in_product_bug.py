import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=5e-4)
args = parser.parse_args()
torch.manual_seed(0)
net = nn.Linear(4, 1).bfloat16()
for _ in range(20):
    loss = net(torch.randn(8, 4).bfloat16()).float().pow(2).mean()
    grads = torch.autograd.grad(loss, list(net.parameters()))
    with torch.no_grad():
        for w, g in zip(net.parameters(), grads):
            change = args.rate * g

            w -= change
print(net.weight.float().mean().item())
