# Inverted, a mask of integers has no zero.
import torch

mask = torch.tensor([[1, 1, 0], [1, 0, 0]])
scores = torch.randn(2, 3).masked_fill((~mask).bool(), 0.0)
print(scores)
