import torch
from torch import nn


class GeluFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        y = torch.mm(x, weight)
        ctx.save_for_backward(x, weight)
        ctx.in_dtype = x.dtype
        return y

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = torch.mm(grad_output, weight.t())
        grad_w = torch.mm(x.t(), grad_output)
        return grad_x, grad_w


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(8, 8))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(GeluFn.apply(x, self.w))


def train(net, batches):
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for x, y in batches:
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()


train(Net(), [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(3)])
