import torch
import torch.nn as nn
import torch.nn.functional as F


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 3)

    def forward(self, x):
        return self.net(x)


class Distiller:
    def __init__(self, student, teacher, temperature=2.0):
        self.student, self.teacher, self.t = student, teacher, temperature
        self.opt = torch.optim.SGD(student.parameters(), lr=0.1)

    def soft_targets(self, x):
        with torch.inference_mode():
            return F.softmax(self.teacher(x) / self.t, dim=-1)

    def step(self, x):
        soft = self.soft_targets(x)
        logits = self.student(x)
        loss = -(soft * F.log_softmax(logits / self.t, dim=-1)).sum(-1).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.detach()


student = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
d = Distiller(student, Teacher().eval())
for _ in range(3):
    print(d.step(torch.randn(5, 6)).item())
