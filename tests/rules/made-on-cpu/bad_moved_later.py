# It is moved as well, but only after the call that fails.
import torch

w = torch.ones(4)
x = torch.ones(4, device="cuda")
print(x * w)  # expect: made-on-cpu error
y = w.to("cuda")
print(y)
