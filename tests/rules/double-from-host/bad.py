import numpy as np
import torch

edges = torch.from_numpy(np.arange(0, 1, 0.1))
grades = torch.tensor([k / 10 for k in range(10)])
print((grades[:, None] == edges[None, :]).sum(0))  # expect: double-from-host note
print((grades != edges.sqrt()).any())  # expect: double-from-host note
