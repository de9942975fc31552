import torch


class LigerRMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        rstd = torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, rstd)
        return (x.float() * rstd).to(x.dtype) * weight

    @staticmethod
    def backward(ctx, dY):
        x, weight, rstd = ctx.saved_tensors
        dW = torch.zeros(weight.shape, dtype=torch.float32, device=x.device)
        normed = x.float() * rstd
        t = dY.float() * normed
        dW += t.sum(dim=0)
        m = dY.float() * weight.float()
        dX = rstd * (m - normed * (m * normed).mean(-1, keepdim=True))
        return dX.to(x.dtype), dW.to(weight.dtype), None


x = torch.randn(4096, 64).to(torch.bfloat16).requires_grad_()
w = torch.ones(64, dtype=torch.bfloat16, requires_grad=True)
y = LigerRMSNorm.apply(x, w, 1e-6)
y.float().pow(2).mean().backward()
print(w.grad.norm())
