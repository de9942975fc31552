import torch
from torch import nn


class Whitening(nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("cov", torch.eye(features))

    def forward(self, x):
        centred = x - x.mean(0, keepdim=True)
        cov = centred.t() @ centred / (x.shape[0] - 1)
        self.cov.lerp_(cov.detach(), self.momentum)
        eye = torch.eye(cov.shape[0], dtype=cov.dtype, device=cov.device)
        factor = torch.linalg.cholesky((self.cov + 1e-2 * eye).float()).to(x.dtype)
        return centred @ factor


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(12, 8), nn.Tanh())
        self.whiten = Whitening(8)

    def forward(self, x):
        return self.whiten(self.body(x))


net = Encoder().to(dtype=torch.bfloat16)
print(net(torch.randn(32, 12).bfloat16()).shape)
