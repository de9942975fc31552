"""Layers with state, sparse and complex tensors, scripts, checkpoints, inference: all have their shadow, or need none."""
import torch
import torch.utils.checkpoint
from torch import nn

torch.manual_seed(0)
print(torch.jit.script(nn.Linear(3, 3))(torch.rand(2, 3)).shape)
with torch.inference_mode():
    y = torch.rand(3).bfloat16()
    y += 1
z = y.clone()
z += 1
w = torch.rand(3, 3, requires_grad=True)
torch.utils.checkpoint.checkpoint(lambda a: (a @ w).tanh(), torch.rand(3, 3, requires_grad=True)).sum().backward()
sparse = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2))
print(sparse.to_dense().sum(), (sparse @ torch.rand(2, 2)).sum())
print(torch.fft.fft(torch.rand(10, dtype=torch.complex64)).abs().sum())
out, _ = nn.LSTM(4, 8)(torch.rand(5, 2, 4))
out.sum().backward()
norm = nn.BatchNorm1d(4)
for _ in range(3):
    norm(torch.rand(6, 4)).pow(2).sum().backward()
norm.eval()
print(norm(torch.rand(6, 4)).mean(), norm.running_mean)
conv = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.LogSoftmax(-1))
conv(torch.rand(2, 3, 8, 8)).mean().backward()
