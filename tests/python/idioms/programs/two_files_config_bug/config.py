import torch

batch_size = 4
width = 16
param_dtype = torch.bfloat16
input_dtype = torch.float32
