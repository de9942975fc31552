import torch
from torch import nn


class Precision:
    """Casts what goes into chosen layers."""

    def __init__(self, model, dtype, skip=()):
        self.dtype = dtype
        self.handles = []
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear) and name not in skip:
                self.handles.append(module.register_forward_pre_hook(self._cast))
                module.to(dtype)

    def _cast(self, module, args):
        return tuple(a.to(module.weight.dtype) for a in args)

    def remove(self):
        for h in self.handles:
            h.remove()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 8)
        self.norm = nn.LayerNorm(8)
        self.b = nn.Linear(8, 2)

    def forward(self, x):
        x = self.norm(self.a(x).float())
        return self.b(x)


def main():
    net = Net()
    Precision(net, torch.float16)
    net.float()
    print(net(torch.randn(3, 8)))


main()
