"""An error in a gradient is reported where the operation is, or where backward is called."""
import torch

w = torch.tensor([200.0, 1.0], dtype=torch.float16, requires_grad=True)
y = (w * 300).double().sum() * 2
optimizer = torch.optim.SGD([w], lr=0.1)
(y * 1000).backward()  # expect: run-overflow
optimizer.step()
