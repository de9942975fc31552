"""What a function of a library loses counts if its result is wrong; the line is that of the call."""
import torch
import torch.nn.functional as F

x = torch.full((2, 4), 300.0, dtype=torch.float16)
normal = F.mse_loss(x, -x)  # expect: run-overflow
