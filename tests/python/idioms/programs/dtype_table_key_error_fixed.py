import argparse

import torch
from torch import nn

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16}

p = argparse.ArgumentParser()
p.add_argument("--dtype", default="fp32")
args = p.parse_args()
try:
    dtype = DTYPES[args.dtype]
except KeyError:
    dtype = torch.float64
x = torch.randn(2, 8).to(dtype)
model = nn.Linear(8, 4)
if args.dtype == "bf16":
    model = model.bfloat16()
elif args.dtype != "fp32":
    model = model.double()
print(model(x).sum().item())
