# Of many options, the condition of the finding names one, and others take numbers that it mentions. A run takes so long
# that few are made.
import argparse
import time

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.scale = torch.ones(4)

    def forward(self, x):
        return self.fc(x) * self.scale[: x.size(-1)].to(x.dtype)


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--steps", type=int, default=4)
parser.add_argument("--batch", type=int, default=4)
parser.add_argument("--accum", type=int, default=2)
parser.add_argument("--clip", type=float, default=1.0)
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--decay", type=float, default=0.1)
parser.add_argument("--layers", type=int, default=2)
parser.add_argument("--heads", type=int, default=2)
parser.add_argument("--width", type=int, default=4)
parser.add_argument("--warmup", type=int, default=1)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--beta1", type=float, default=0.9)
parser.add_argument("--beta2", type=float, default=0.99)
parser.add_argument("--eps", type=float, default=1e-8)
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--every", type=int, default=1)
parser.add_argument("--keep", type=int, default=1)
parser.add_argument("--length", type=int, default=4)
args = parser.parse_args()
while time.process_time() < 0.4:
    pass
device = torch.device("cuda" if args.cuda else "cpu")
model = Net().to(device)
print(model(torch.randn(2, 4, device=device)).sum())
