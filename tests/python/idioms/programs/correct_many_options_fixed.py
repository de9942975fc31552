import argparse

import torch
from torch import nn


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--fp16", action="store_true")
    p.add_argument("--no-cuda", action="store_true")
    p.add_argument("--classes", type=int, default=3)
    p.add_argument("--optimizer", choices=["sgd", "adam"], default="adam")
    return p.parse_args()


args = parse()
device = torch.device("cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu")
use_amp = args.fp16 and device.type == "cuda"
model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, args.classes)).to(device)
opt_cls = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[args.optimizer]
opt = opt_cls(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler(device.type, enabled=use_amp)
criterion = nn.CrossEntropyLoss() if args.classes > 1 else nn.BCEWithLogitsLoss()
for _ in range(3):
    x = torch.randn(4, 8, device=device)
    y = torch.randint(0, max(args.classes, 2), (4,), device=device)
    with torch.autocast(device.type, dtype=torch.float16 if device.type == "cuda" else torch.bfloat16, enabled=use_amp):
        out = model(x)
        loss = criterion(out.squeeze(1), y.float()) if args.classes == 1 else criterion(out, y)
    opt.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.unscale_(opt)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()
