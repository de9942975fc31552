import torch

batch_size = 4
width = 16
param_dtype = torch.float32
input_dtype = torch.float32
