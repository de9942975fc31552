import torch
import torch.nn as nn
import torch.nn.functional as F


class Distiller:
    def __init__(self, student, teacher, weight=0.5):
        self.student, self.teacher, self.weight = student, teacher, weight

    @torch.no_grad()
    def kd(self, x, logits):
        soft = self.teacher(x).softmax(-1)
        return F.kl_div(logits.log_softmax(-1), soft, reduction="batchmean")

    def loss(self, x, y):
        logits = self.student(x)
        return F.cross_entropy(logits, y) + self.weight * self.kd(x, logits)


if __name__ == "__main__":
    torch.manual_seed(0)
    d = Distiller(nn.Linear(4, 3), nn.Linear(4, 3))
    opt = torch.optim.SGD(d.student.parameters(), lr=0.1)
    for _ in range(2):
        loss = d.loss(torch.randn(8, 4), torch.randint(0, 3, (8,)))
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(loss)
