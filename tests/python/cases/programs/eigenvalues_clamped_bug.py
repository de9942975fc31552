import torch
from torch import nn


def psd_safe(A):
    evals, evecs = torch.linalg.eigh(A)
    evals.clamp_min_(1e-6)
    return evecs @ torch.diag_embed(evals.sqrt()) @ evecs.transpose(-1, -2)


class Kernel(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(n, n))

    def forward(self):
        A = self.raw @ self.raw.t()
        return psd_safe(A)


class Likelihood(nn.Module):
    def forward(self, root, y):
        return (root @ y).pow(2).sum()


kernel = Kernel(4)
likelihood = Likelihood()
opt = torch.optim.Adam(kernel.parameters(), lr=0.1)
y = torch.randn(4, 1)
for i in range(2):
    opt.zero_grad()
    loss = likelihood(kernel(), y)
    loss.backward()
    opt.step()
