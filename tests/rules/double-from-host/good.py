import numpy as np
import torch

edges = torch.from_numpy(np.arange(0, 1, 0.1))
grades = torch.tensor([k / 10 for k in range(10)])
print((grades == edges.float()).sum())
classes = torch.from_numpy(np.zeros(10))
print((torch.arange(10).float() == classes).sum())  # whole numbers are the same in both
print((grades < edges).sum())
