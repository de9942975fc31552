# runs: [{"args": [], "env": {}, "gpu": true}, {"args": ["--low"], "env": {}, "gpu": true}]
# A cast of a tensor that has the dtype already under one condition; a branch on its dtype.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--low", action="store_true")
args = parser.parse_args()
dtype = torch.bfloat16 if args.low else torch.float64
x = torch.zeros(2, dtype=dtype)
y = x.double()
reveal_type(y)
if x.dtype != torch.float64:
    x = x.double()
reveal_type(x)
z = torch.zeros(2, dtype=dtype)
if not z.dtype == torch.float64:
    z = z.double()
reveal_type(z)
