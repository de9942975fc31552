import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--rank", type=int, default=-1)
parser.add_argument("--device", default="cpu")
args = parser.parse_args()

if args.rank >= 0:
    device = f"cuda:{args.rank}"
    torch.cuda.set_device(device)
else:
    device = args.device
kind = "cuda" if "cuda" in device else "cpu"
if device.startswith("cuda"):
    scale = torch.full((1,), 0.5, device=kind)
else:
    scale = torch.full((1,), 0.5)
bias = torch.zeros(4) if device == "cpu" else torch.zeros(4, device=device)

model = torch.nn.Linear(4, 4).to(device)
x = torch.rand(2, 4, device=kind)
print((model(x) * scale + bias).mean().item())
