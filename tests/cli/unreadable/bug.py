import torch

x = torch.ones(2, 2).half()
print(x @ torch.ones(2, 2))
