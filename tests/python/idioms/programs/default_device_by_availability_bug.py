# The default of the option depends on the machine; the batch is not moved to the device.
import argparse

import torch
import torch.nn as nn


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", type=str, default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--width", type=int, default=8)
    return parser.parse_args()


def main():
    args = parse()
    model = nn.Sequential(nn.Linear(args.width, 16), nn.ReLU(), nn.Linear(16, 2)).to(args.device)
    batch = torch.randn(4, args.width)
    print(model(batch).mean().item())


main()
