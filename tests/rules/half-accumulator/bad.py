import torch


def schedule(dtype):
    betas = torch.linspace(1e-4, 2e-2, 1000).to(dtype)
    return torch.cumprod(1 - betas, 0)  # expect: half-accumulator note


def products(alphas):
    left = torch.ones((), dtype=torch.bfloat16)
    for a in alphas:
        left = left * a  # expect: half-accumulator note
    return left


def decayed(steps):
    rate = torch.full((2,), 0.1).half()
    for _ in range(steps):
        rate *= 0.9995  # expect: half-accumulator warning
    return rate


class Optimizer:
    def __init__(self, dtype):
        self.steps = torch.zeros((), dtype=dtype)

    def step(self):
        self.steps += 1  # expect: half-accumulator warning


print(schedule(torch.float16), products(torch.linspace(0.5, 1, 100).bfloat16()), decayed(5000))
optimizer = Optimizer(torch.bfloat16)
while torch.rand(()) < 0.999:
    optimizer.step()
