import argparse

import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(16, 16) for _ in range(6)])
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        for block in self.blocks:
            x = F.relu(block(x))
        return self.head(x)


def batch(device):
    x = torch.stack([torch.randn(16) for _ in range(8)])
    y = torch.randint(0, 4, (8,))
    return x.to(device), y.to(device)


@torch.no_grad()
def evaluate(model, device, rounds):
    out = {}
    for split in ["train", "val"]:
        losses = torch.zeros(rounds)
        for k in range(rounds):
            x, y = batch(device)
            losses[k] = F.cross_entropy(model(x), y).item()
        out[split] = losses.mean()
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--no-accel", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--steps", type=int, default=40)
    args = parser.parse_args()

    use_accel = not args.no_accel and torch.accelerator.is_available()
    device = torch.accelerator.current_accelerator() if use_accel else torch.device("cpu")
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    step = 0
    while True:
        if step % 10 == 0:
            print(evaluate(model, device, 20)["val"])
        x, y = batch(device)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        step += 1
        if step > args.steps or args.dry_run:
            break

    model.eval()
    x, _ = batch(device)
    with torch.no_grad():
        print(model(x).double().argmax(dim=-1))


if __name__ == "__main__":
    main()
