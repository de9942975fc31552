import argparse

import torch
from torch import nn


def dtype_of(name):
    match name:
        case "fp16" | "half":
            return torch.float16
        case "bf16":
            return torch.bfloat16
        case "fp64":
            return torch.float64
        case _:
            return torch.float32


parser = argparse.ArgumentParser()
parser.add_argument("--precision", default="bf16")
args = parser.parse_args()
dtype = dtype_of(args.precision)
lstm = nn.LSTM(8, 16, batch_first=True).to(dtype)
x = torch.randn(2, 5, 8, dtype=dtype)
h0 = torch.zeros(1, 2, 16)
c0 = torch.zeros(1, 2, 16, dtype=dtype)
out, _ = lstm(x, (h0, c0))
print(out.shape)
