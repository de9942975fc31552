import torch
from torch import nn

STEPS, MICRO = 2, 1024


def main():
    torch.manual_seed(0)
    model = nn.Linear(16, 16).to(torch.bfloat16)
    master = [p.detach().float() for p in model.parameters()]
    optimizer = torch.optim.SGD(master, lr=1e-2)
    for step in range(STEPS):
        total = [torch.zeros_like(p) for p in model.parameters()]
        for micro in range(MICRO):
            x = torch.rand(4, 16, dtype=torch.bfloat16)
            loss = model(x).float().pow(2).sum()
            for t, g in zip(total, torch.autograd.grad(loss, list(model.parameters()))):
                t.add_(g)
        for m, t in zip(master, total):
            m.grad = t.float() / MICRO
        optimizer.step()
        with torch.no_grad():
            for p, m in zip(model.parameters(), master):
                p.copy_(m)
    print(master[0].grad.abs().mean().item())


main()
