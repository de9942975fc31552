import argparse

import torch
from torch import nn

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", choices=sorted(DTYPES), default="fp32")
    parser.add_argument("--steps", type=int, default=2)
    return parser.parse_args()


def main():
    args = parse()
    dtype = DTYPES[args.dtype]
    model = nn.Linear(8, 8).to(dtype)
    for _ in range(args.steps):
        x = torch.randn(2, 8, dtype=dtype)
        y = model(x)
    print(y.dtype)


if __name__ == "__main__":
    main()
