import torch

STEP = torch.zeros((), dtype=torch.uint8)


def tick():
    global STEP
    STEP += 200
    STEP += 100
    return STEP


print(tick())
