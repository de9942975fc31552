import math
import torch


def schedule(total, base):
    lrs = torch.zeros(total, dtype=torch.float32)
    for i in range(total):
        lrs[i] = base * 0.5 * (1 + math.cos(math.pi * i / total))
    return lrs


print([round(float(v), 3) for v in schedule(5, 0.1)])
