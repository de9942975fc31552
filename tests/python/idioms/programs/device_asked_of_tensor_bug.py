# The same, but the model is not moved.
import argparse

import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, 4)

    def forward(self, x):
        return self.proj(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    device = torch.device(args.device)
    x = torch.ones(2, 8, device=device)
    if x.is_cuda:
        torch.backends.cudnn.benchmark = True
    head = Head(8)
    print(head(x).sum().item())


main()
