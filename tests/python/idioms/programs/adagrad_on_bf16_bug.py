import argparse

import torch
from torch import nn


def build(args):
    model = nn.Sequential(nn.Embedding(1000, 16), nn.Flatten(), nn.Linear(16 * 4, 1))
    model = model.to(torch.bfloat16)
    return model


def train(args):
    model = build(args)
    optimizer = torch.optim.Adagrad(model.parameters(), lr=args.lr)
    for _ in range(args.steps):
        optimizer.zero_grad()
        ids = torch.randint(0, 1000, (8, 4))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = model(ids).float().square().mean()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-2)
    parser.add_argument("--steps", type=int, default=5)
    train(parser.parse_args())
