import torch


def warmup(step, total=50):
    return (step + 1) // total if step < total else 1.0  # expect: floored-fraction warning


def ramp(step, steps):
    return 0.1 * min(1.0, step // steps)  # expect: floored-fraction warning


class Schedule:
    def __init__(self, steps):
        self.steps = steps

    def factor(self, step):
        if step >= self.steps:
            return 1.0
        return step // self.steps  # expect: floored-fraction warning


def mean_of(rows):
    mean = torch.zeros(3)
    for n, row in enumerate(rows, 1):
        mean += (row - mean) * (1 // n)  # expect: floored-fraction warning
    return mean


def unbiased(variance, n):
    return variance * ((n - 1) // n)  # expect: floored-fraction warning


print(warmup(3), ramp(4, 100), Schedule(10).factor(2))
print(mean_of(torch.randn(5, 3)), unbiased(torch.rand(3), 5))
