"""Integers that do not fit, and fractions that integers cannot hold."""
import torch

frame = torch.tensor([10, 200], dtype=torch.uint8)
difference = frame - 20  # expect: run-wrap
sixteen = torch.tensor([40000.0]).to(torch.int16)  # expect: run-wrap
nothing = torch.tensor([float("inf")]).to(torch.int32)  # expect: run-overflow
scores = torch.zeros(3, dtype=torch.long)
scores[:] = torch.tensor([0.25, 0.5, 1.0])  # expect: run-truncated
targets = torch.zeros(3, dtype=torch.long)
targets.fill_(0.1)  # expect: run-truncated
ids = torch.tensor([16777217, 3]).float()  # expect: run-inexact-integer
print(ids.long())
