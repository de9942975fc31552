# The order in memory is another one.
import torch

pixels = torch.rand(2, 3, 4, 4)
print(pixels.to(memory_format=torch.channels_last))
print(pixels.float(memory_format=torch.channels_last))
