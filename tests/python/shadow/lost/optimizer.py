"""Half weights whose steps are too small; the step of an optimizer is one update."""
import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(8, 8).to(torch.bfloat16)
optimizer = torch.optim.AdamW(layer.parameters(), lr=1e-5, eps=1e-4)
for step in range(12):
    for p in layer.parameters():
        p.grad = torch.ones_like(p)
    optimizer.step()  # expect: run-lost-update
