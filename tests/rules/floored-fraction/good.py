import torch


def warmup(step, total=50):
    return (step + 1) / total if step < total else 1.0


def decay(step, every):
    return 0.1 ** (step // every)


# What is asked about has changed since.
def levels(size, smallest):
    count = 0
    while smallest < size:
        size, smallest = smallest, size
        count += smallest // size
    return count


# The greater of the two is divided.
def times(a, b):
    if a < b:
        return b // a
    return a // b


def cells(i, columns):
    row = i // columns
    if row < columns:
        return row
    return i % columns


def half(n):
    return n // 2 if n > 1 else 1 // 1


print(warmup(3), decay(100, 30), levels(7, 3), times(3, 9), cells(5, 2), half(4))
print(torch.arange(6) // 2)
