import copy

import torch
import torch.nn.functional as F
from torch import nn

student = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
teacher = copy.deepcopy(student).half()
for p in teacher.parameters():
    p.requires_grad = False

optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(3):
    x = torch.randn(6, 8)
    with torch.no_grad():
        goal = teacher(x).softmax(dim=1)
    loss = F.kl_div(student(x).log_softmax(dim=1), goal, reduction="batchmean")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
