import torch
import torch.nn as nn
import torch.nn.functional as F


class Quantize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, bits):
        ctx.bits = bits
        scale = x.abs().max() / (2 ** (bits - 1) - 1)
        return torch.round(x / scale).to(torch.int8)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class QuantLinear(nn.Linear):
    def __init__(self, *args, bits=8, **kwargs):
        super().__init__(*args, **kwargs)
        self.bits = bits

    def forward(self, x):
        w = Quantize.apply(self.weight, self.bits)
        return F.linear(x, w, self.bias)


class MLP(nn.Module):
    def __init__(self, layer=nn.Linear, **layer_kwargs):
        super().__init__()
        self.fc1 = layer(10, 20, **layer_kwargs)
        self.fc2 = layer(20, 2, **layer_kwargs)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


net = MLP(QuantLinear, bits=4)
out = net(torch.randn(3, 10))
out.sum().backward()
print([p.grad is not None for p in net.parameters()])
