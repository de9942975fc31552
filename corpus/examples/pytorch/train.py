"""train.py [--half] [--cuda] [--amp]: trains the model, and shows how surprised it is."""
import argparse

import torch
import torch.nn.functional as F
from torch import nn

from model import Story

WORDS = 40


def rows(device):
    """Rows of numbers; what comes next is one more."""
    x = torch.arange(8, device=device)[:, None] + torch.arange(16, device=device)
    return x, x + 1


def train(model, x, y, amp, steps=3):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scaler = torch.cuda.amp.GradScaler(enabled=amp)
    for _ in range(steps):
        with torch.autocast("cuda", dtype=torch.float16, enabled=amp):
            loss = F.cross_entropy(model(x).view(-1, WORDS), y.reshape(-1))
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


@torch.no_grad()
def surprise(model, x):
    shares = F.softmax(model(x), dim=-1)
    return -torch.log(shares + 1e-8).mean()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", action="store_true")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--amp", action="store_true")
    args = parser.parse_args()
    device = "cuda" if args.cuda else "cpu"
    model = Story(WORDS).to(device)
    x, y = rows(device)
    if args.half:
        model.half()
    else:
        train(model, x, y, args.amp)
    print(surprise(model, x).item())
