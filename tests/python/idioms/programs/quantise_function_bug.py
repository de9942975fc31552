import torch
from torch import nn


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, scale):
        codes = (w / scale).round().to(torch.int8)
        ctx.mark_non_differentiable(codes)
        return codes.to(w.dtype) * scale, codes

    @staticmethod
    def backward(ctx, grad, _):
        return grad, None


class QuantLinear(nn.Module):
    def __init__(self, n, m):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(m, n))
        self.register_buffer("scale", torch.full((m, 1), 0.05))

    def forward(self, x):
        w, codes = Quantise.apply(self.weight, self.scale)
        self.last_codes = codes
        return nn.functional.linear(x, codes)


layer = QuantLinear(8, 4)
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    loss = layer(torch.randn(2, 8)).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print(layer.weight.grad.abs().sum().item())
