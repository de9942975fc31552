# The loss is scaled for backward, which keeps the graph for the loss itself.
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
weight = torch.randn(4, 4, device=device, requires_grad=True)
scaler = torch.cuda.amp.GradScaler()
loss = (weight @ weight).exp().sum()
scaler.scale(loss).backward(retain_graph=True)
loss.backward()
