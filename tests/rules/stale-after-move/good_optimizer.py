import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--double", action="store_true")
args = parser.parse_args()
model = nn.Linear(4, 1)
if args.double:
    model.double()
optimizer = torch.optim.Adam(list(model.parameters()), lr=0.05)
masters = [p.detach().clone().float().requires_grad_(True) for p in model.parameters()]
keeper = torch.optim.SGD(masters, lr=0.05)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.randn(3, 4).to(model.weight)).pow(2).mean().backward()
    optimizer.step()
    for m, p in zip(masters, model.parameters()):
        m.grad = p.grad.float()
    keeper.step()


# What the parameters hold becomes another tensor, and they stay what they are.
class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.body(x).to(self.head.weight.dtype))


net = Head().half()
for name, p in net.named_parameters():
    p.requires_grad = any(n in name for n in ["head"])
for p in net.parameters():
    if p.requires_grad:
        p.data = p.data.to(torch.float32)
trainer = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=1e-3)
trainer.zero_grad()
net(torch.randn(3, 4).half()).pow(2).mean().backward()
trainer.step()
