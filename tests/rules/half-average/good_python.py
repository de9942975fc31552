import torch
from torch import nn

student = nn.Linear(4, 4).to(torch.bfloat16)
teacher = [p.detach().float() for p in student.parameters()]
for step in range(1000):
    decay = min(0.9999, (1 + step) / (10 + step))
    with torch.no_grad():
        for t, p in zip(teacher, student.parameters()):
            t.mul_(decay).add_(p, alpha=1 - decay)
