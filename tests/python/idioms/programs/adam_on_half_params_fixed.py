import argparse

import torch
from torch import nn, optim

PRECISION = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def build(args):
    net = nn.Sequential(nn.Embedding(100, 16), nn.Flatten(), nn.Linear(16 * 4, 10))
    return net.to(args.device)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--precision", choices=sorted(PRECISION), default="fp32")
    p.add_argument("--device", default="cuda")
    args = p.parse_args()
    net = build(args)
    opt = optim.Adam(net.parameters(), lr=3e-4)
    ce = nn.CrossEntropyLoss()
    for _ in range(3):
        ids = torch.randint(0, 100, (8, 4), device=args.device)
        loss = ce(net(ids).float(), ids[:, 0] % 10)
        opt.zero_grad()
        loss.backward()
        opt.step()


main()
