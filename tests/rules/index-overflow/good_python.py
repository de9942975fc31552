import numpy as np
import torch

cost = torch.ones(4, 5) * float("inf")
counts = torch.ones(4, dtype=torch.int32) * np.inf  # of integers, too, the result is floating
print(cost, counts, np.ones((4, 5), dtype=np.float32) * np.inf)
