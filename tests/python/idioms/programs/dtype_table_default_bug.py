import argparse

import torch
from torch import nn


def lookup(name):
    table = {"half": torch.float16, "bf16": torch.bfloat16, "double": torch.float64}
    return table.get(name, torch.float32)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--precision", default="single")
    args = p.parse_args()
    head = nn.Linear(8, 4).to(lookup(args.precision))
    features = torch.randn(2, 8)
    print(head(features).float().sum().item())


main()
