"""The condition is what autocast is given, which no branch asks."""
import argparse

import torch

p = argparse.ArgumentParser()
p.add_argument("--cuda", action="store_true")
p.add_argument("--amp", action="store_true")
args = p.parse_args()
device = "cuda" if args.cuda else "cpu"
net = torch.nn.Linear(8, 5).to(device)
with torch.autocast(device, enabled=args.amp):
    h = net(torch.randn(4, 8, device=device))
    print(h.masked_fill(h < 0, -1e9))
