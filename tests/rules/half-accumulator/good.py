import torch


def schedule(dtype):
    betas = torch.linspace(1e-4, 2e-2, 1000)
    return torch.cumprod(1 - betas, 0).to(dtype)


# Few factors, and those that do not round.
def products(alphas, masks):
    left = torch.ones((), dtype=torch.float16)
    for a in alphas:
        left = left * a
    for _ in range(3000):
        left = left * 0.5
    for keep in masks:
        left = left * keep
    return left, torch.cumprod(masks, 0)


# Each time, something is added as well.
def averaged(rows):
    mean = torch.zeros(3, dtype=torch.float16)
    for _ in range(3000):
        mean *= 0.9
        mean += rows
    return mean


class Optimizer:
    def __init__(self, dtype):
        self.steps = torch.zeros((), dtype=torch.float32)
        self.rows = torch.zeros((), dtype=dtype)

    def step(self):
        self.steps += 1

    def begin(self):
        for _ in range(8):
            self.rows += 1


print(schedule(torch.float16))
print(products(torch.linspace(0.9, 1, 20).half(), (torch.rand(2000) > 0.1).half()))
print(averaged(torch.randn(3).half() * 0.1))
optimizer = Optimizer(torch.bfloat16)
optimizer.begin()
while torch.rand(()) < 0.999:
    optimizer.step()


# Each of several, a few times.
def shrunk(rows):
    for _ in range(300):
        for row in rows:
            row *= 0.999
    return rows


print(shrunk([torch.randn(3).half() for _ in range(8)]))
