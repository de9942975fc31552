# The part is a number that is computed when the program runs.
import torch
from torch import nn

student = nn.Linear(4, 4).to(torch.bfloat16)
teacher = [p.detach().clone() for p in student.parameters()]
for step in range(1000):
    decay = min(0.9999, (1 + step) / (10 + step))
    with torch.no_grad():
        for t, p in zip(teacher, student.parameters()):
            t.mul_(decay).add_(p, alpha=1 - decay)  # expect: half-average note


def averaged(mean, new, decay):
    return decay * mean + (1 - decay) * new  # expect: half-average note


def schedule(step):
    return min(0.999, step / (step + 1))


mean = torch.randn(4).half()
for step in range(1000):
    mean = averaged(mean, torch.randn(4).half(), schedule(step))
