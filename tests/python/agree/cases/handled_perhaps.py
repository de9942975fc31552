# runs: [{"args": [], "env": {}, "gpu": true}, {"args": ["--dtype", "float64"], "env": {}, "gpu": true}]
# What may fail, for all that is known, may be handled.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="float32")
args = parser.parse_args()
x = torch.zeros(2, 2, dtype=getattr(torch, args.dtype))
try:
    y = x @ torch.zeros(2, 2)
except RuntimeError:
    y = x.to(torch.float64)
reveal_type(y)
