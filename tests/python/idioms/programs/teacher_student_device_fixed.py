import copy

import torch
import torch.nn.functional as F
from torch import nn


class Distiller(nn.Module):
    def __init__(self, student, teacher, T=2.0):
        super().__init__()
        self.student = student
        self.teacher = teacher
        self.T = T

    def forward(self, x):
        s = self.student(x)
        with torch.no_grad():
            t = self.teacher(x)
        return F.kl_div(F.log_softmax(s / self.T, -1), F.softmax(t / self.T, -1), reduction="batchmean")


student = nn.Linear(6, 3)
teacher = copy.deepcopy(student)
d = Distiller(student, teacher).to("cuda")
print(d(torch.randn(4, 6, device="cuda")))
