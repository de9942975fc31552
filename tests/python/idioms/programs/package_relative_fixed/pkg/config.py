import torch

DTYPE = torch.bfloat16
WIDTH = 24
