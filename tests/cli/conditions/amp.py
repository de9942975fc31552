# amp is set to what two options say: they are named, and each once.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
device = "cuda" if args.cuda else "cpu"
amp = args.amp and args.cuda
net = nn.Linear(4, 4).to(device)
with torch.autocast("cuda", dtype=torch.float16, enabled=True if amp else False):
    y = net(torch.randn(2, 4, device=device))
if amp:
    print(y.masked_fill(y > 0, -1e9))
