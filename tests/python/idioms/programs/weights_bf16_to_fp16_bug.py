import argparse

import torch
from torch import nn


def trained():
    model = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)).to(torch.bfloat16)
    return {k: v * 3 for k, v in model.state_dict().items()}


def export(state, dtype):
    return {k: v.to(dtype) for k, v in state.items()}


parser = argparse.ArgumentParser()
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
dtype = torch.float16 if args.half else torch.bfloat16
state = export(trained(), dtype)
print({k: v.abs().max().item() for k, v in state.items()})
