import torch
from torch import nn


@torch.no_grad()
def decay(model, lr, weight_decay):
    for p in model.parameters():
        if p.dim() > 1:
            p.mul_(1 - lr * weight_decay)


def main():
    torch.manual_seed(0)
    model = nn.Linear(32, 32).to(torch.bfloat16)
    before = model.weight.abs().mean().item()
    for step in range(5000):
        decay(model, lr=3e-4, weight_decay=0.1)
    print(model.weight.abs().mean().item() / before)


main()
