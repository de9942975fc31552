# Whatever another program has done, this one runs.
import torch

x = torch.ones(2, 2)
print(x @ x.double())
