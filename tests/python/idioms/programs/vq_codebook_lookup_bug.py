import torch
import torch.nn as nn
import torch.nn.functional as F


class VectorQuantizer(nn.Module):
    def __init__(self, n, dim, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("codebook", torch.randn(n, dim))
        self.register_buffer("counts", torch.zeros(n))

    def forward(self, z):
        flat = z.reshape(-1, z.size(-1))
        d = torch.cdist(flat, self.codebook)
        idx = d.argmin(1)
        onehot = F.one_hot(idx, len(self.codebook))
        if self.training:
            with torch.no_grad():
                self.counts.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
                dw = onehot.t() @ flat
                self.codebook.mul_(self.decay).add_(dw, alpha=1 - self.decay)
        q = self.codebook[idx].view_as(z)
        return z + (q - z).detach(), idx


vq = VectorQuantizer(16, 4)
z = torch.randn(2, 5, 4, requires_grad=True)
q, idx = vq(z)
q.sum().backward()
