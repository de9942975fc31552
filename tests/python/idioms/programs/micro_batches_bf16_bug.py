import torch
from torch import nn

STEPS = 1024


def main():
    torch.manual_seed(0)
    model = nn.Linear(8, 8).bfloat16()
    params = list(model.parameters())
    sums = [torch.zeros_like(p) for p in params]
    for _ in range(STEPS):
        x = torch.rand(4, 8).bfloat16()
        loss = model(x).float().sum()
        grads = torch.autograd.grad(loss, params)
        for s, g in zip(sums, grads):
            s += g / STEPS
    print(sums[0].float().mean().item(), sums[1].float().mean().item())


main()
