# The loss is scaled for backward, and backward is called for the loss itself, too.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
weight = torch.randn(4, 4, device=device, requires_grad=True)
scaler = torch.cuda.amp.GradScaler()
loss = (weight @ weight).exp().sum()
scaler.scale(loss).backward()
loss.backward()
