import torch
from torch import nn


class FusedLinear(torch.autograd.Function):
    @staticmethod
    @torch.cuda.amp.custom_fwd
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w.t()

    @staticmethod
    @torch.cuda.amp.custom_bwd
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return grad @ w.to(grad.dtype), grad.flatten(0, -2).t() @ x.flatten(0, -2).to(grad.dtype)


class Layer(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(b, a) * 0.02)

    def forward(self, x):
        return FusedLinear.apply(x, self.weight)


def main():
    net = nn.Sequential(Layer(16, 32), nn.ReLU(), Layer(32, 4)).cuda()
    x = torch.randn(8, 16, device="cuda")
    with torch.autocast("cuda", dtype=torch.float16):
        out = net(x)
        loss = out.float().pow(2).mean()
    loss.backward()


main()
