import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.mm(x, weight)

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad @ weight.t().to(grad.dtype), (x.t() @ grad).to(weight.dtype)


x = torch.randn(4, 3, requires_grad=True)
weight = torch.randn(3, 2, dtype=torch.bfloat16, requires_grad=True)
out = Scale.apply(x, weight)
out.sum().backward()
print(x.grad.dtype)
