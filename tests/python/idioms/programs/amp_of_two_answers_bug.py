# Mixed precision, and then a cast in the other case.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--fp16", action="store_true")
args = parser.parse_args()
device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = args.fp16 and torch.cuda.is_available()
w = torch.randn(4, 4, device=device)
x = torch.randn(4, 4, device=device)
with torch.autocast(device_type=device, dtype=torch.float16, enabled=use_amp):
    h = x @ w
    h = h.masked_fill(h > 1, -1e4)
if not use_amp:
    h = h.float()
print(h @ w)
