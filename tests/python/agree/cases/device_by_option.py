# runs: [{"args": [], "env": {}, "gpu": true}]
# A text from outside is a device, and no dtype.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
args = parser.parse_args()
x = torch.zeros(2, 8).to(args.device)
y = torch.zeros(2, dtype=torch.float64 if x.dtype == torch.float32 else torch.float16)
reveal_type(y)
net = nn.Linear(8, 8).to(args.device)
y = net(x.to(next(net.parameters()).dtype))
loss = y.mean()
