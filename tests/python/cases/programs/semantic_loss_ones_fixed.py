import torch
from torch import nn


class Circuit:
    def __init__(self, nodes):
        self.nodes = nodes

    def evaluate(self, probs):
        total = torch.ones(1, device=probs.device)
        for literal, sign in self.nodes:
            p = probs[:, literal]
            total = total * (p if sign else 1 - p)
        return total


class SemanticLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.circuit = Circuit([(0, True), (1, False), (2, True)])

    def forward(self, logits):
        probs = torch.sigmoid(logits)
        wmc = self.circuit.evaluate(probs)
        return -torch.log(wmc).mean()


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 3)

    def forward(self, x):
        return self.fc(x)


tagger = Tagger().cuda()
criterion = SemanticLoss().cuda()
x = torch.randn(4, 10).cuda()
loss = criterion(tagger(x))
loss.backward()
