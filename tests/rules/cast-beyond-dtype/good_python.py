# One number, of which it is only known how it may have been rounded: nothing else is close to it.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="bfloat16", choices=["bfloat16", "float16", "float64"])
args = parser.parse_args()

total = torch.sum(torch.full((4, 8), 0.5, dtype=torch.float16), dtype=torch.float64)
print(total.half())

third = torch.ones(4, 8, dtype=getattr(torch, args.dtype)) / 3
print(third.float().to(torch.bfloat16))

floor = torch.log(torch.zeros(4, 8, dtype=getattr(torch, args.dtype)).abs() + 1e-4)
print(floor.double().half())
