import torch
from torch import nn
import torch.nn.functional as F


def net(width):
    return nn.Sequential(nn.Linear(12, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 5))


class Distillation:
    def __init__(self, lr=1e-3, temperature=3.0):
        self.teacher = net(64).eval()
        self.student = net(16)
        self.temperature = temperature
        self.optimizer = torch.optim.AdamW(self.teacher.parameters(), lr=lr)

    def step(self, x, y):
        with torch.no_grad():
            t = self.teacher(x) / self.temperature
        logits = self.student(x)
        soft = F.kl_div(F.log_softmax(logits / self.temperature, -1), F.softmax(t, -1), reduction="batchmean")
        loss = F.cross_entropy(logits, y) + soft
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


job = Distillation()
for i in range(10):
    print(job.step(torch.randn(16, 12), torch.randint(0, 5, (16,))))
