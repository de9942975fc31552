import torch
from torch import nn


class FixMatch(nn.Module):
    def __init__(self, net, threshold=0.999):
        super().__init__()
        self.net, self.threshold = net, threshold

    def forward(self, weak, strong):
        with torch.no_grad():
            probs = self.net(weak).softmax(-1)
            confidence, label = probs.max(-1)
        keep = confidence > self.threshold
        loss = nn.functional.cross_entropy(self.net(strong).float(), label, reduction="none")
        return (loss * keep).mean()


learner = FixMatch(nn.Linear(10, 4).bfloat16())
x = torch.randn(16, 10).bfloat16()
learner(x, x + 0.1).backward()
