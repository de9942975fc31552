import torch


def mean_loss(losses):
    total = torch.zeros((), dtype=torch.float16)
    n = 0
    while (loss := next(losses, None)) is not None:
        total += loss
        n += 1
    return total / n


def stream(n):
    for i in range(n):
        yield torch.rand(()).half()


print(mean_loss(stream(5000)))
