import torch

STEP = torch.zeros((), dtype=torch.uint8)


def tick():
    global STEP
    STEP = STEP.int() + 300
    return STEP


print(tick())
