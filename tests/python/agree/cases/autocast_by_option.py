# runs: [{"args": [], "env": {}, "gpu": true}, {"args": ["--amp"], "env": {}, "gpu": true}]
# Whether autocast is on is decided by an option.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--amp", action="store_true")
args = parser.parse_args()
x = torch.zeros(2, 2)
with torch.autocast("cpu", dtype=torch.bfloat16, enabled=args.amp):
    reveal_type(x @ x)
with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not args.amp):
    y = x @ x
reveal_type(y)
y.lerp(torch.zeros(2, 2), 0.5)
