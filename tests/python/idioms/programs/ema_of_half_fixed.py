import argparse
import copy

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.ModuleDict({"a": nn.Linear(8, 8), "b": nn.Linear(8, 8)})
        self.rest = nn.ModuleList([nn.Sequential(nn.BatchNorm1d(8), nn.Linear(8, 8)) for _ in range(2)])
        self.rest.double()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", action="store_true")
    args = parser.parse_args()
    model = Net()
    if args.half:
        model = model.to(torch.bfloat16)
    ema = copy.deepcopy(model).float()
    with torch.no_grad():
        for a, b in zip(ema.parameters(), model.parameters()):
            a.mul_(0.9).add_(b, alpha=0.1)
    print(ema.embed["a"](torch.randn(2, 8)).dtype)


main()
