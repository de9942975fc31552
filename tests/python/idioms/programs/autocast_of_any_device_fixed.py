import argparse
import torch
from torch import nn
p = argparse.ArgumentParser()
p.add_argument("--fp16", action="store_true")
args = p.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
use_amp = args.fp16 and device.type == "cuda"
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 3)).to(device)
x = torch.randn(4, 8, device=device)
with torch.autocast(device.type, dtype=torch.float16 if device.type == "cuda" else torch.bfloat16, enabled=use_amp):
    out = model(x)
