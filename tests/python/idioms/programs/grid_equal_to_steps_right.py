import numpy as np
import torch

grid = torch.as_tensor(np.linspace(0.0, 1.0, 11))
x = torch.tensor([0.1, 0.3, 0.7])
hits = torch.isclose(x.unsqueeze(1), grid.float())
print(hits.any(dim=1))
