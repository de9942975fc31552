# runs: [{"args": [], "env": {}, "gpu": true}, {"args": ["--dtype", "bfloat16"], "env": {}, "gpu": true}]
# An option is one of its choices.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="float32", choices=["bfloat16", "float32"])
args = parser.parse_args()
dtype = getattr(torch, args.dtype)
x = torch.zeros(2).to(dtype)
reveal_type(x)
reveal_type(torch.zeros(2, dtype={"float32": torch.float32, "bfloat16": torch.bfloat16, "float64": torch.float64}[args.dtype]))
if args.dtype == "bfloat16":
    x = x.double()
elif args.dtype == "float32":
    x = x.double()
reveal_type(x)
if args.dtype == "float16":
    x = x.half()
reveal_type(x)
