import argparse

import torch
from torch import nn


class GlideModel(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.inp = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x)))


def load_model(use_fp16):
    model = GlideModel().cuda()
    if use_fp16:
        model.half()
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    model = load_model(use_fp16=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step in range(2):
        x = torch.randn(4, 16, device="cuda").half()
        loss = (model(x) - x).float().pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


main()
