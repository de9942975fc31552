import torch
import torch.nn as nn
import torch.nn.functional as F


class WSConv2d(nn.Conv2d):
    def forward(self, x):
        w = self.weight
        mean = w.mean(dim=(1, 2, 3), keepdim=True)
        std = w.std(dim=(1, 2, 3), keepdim=True) + 1e-5
        return F.conv2d(x, (w - mean) / std, self.bias, self.stride, self.padding)


def convert(module):
    """Replaces every Conv2d below module, as torch's own convert_sync_batchnorm does."""
    out = module
    if isinstance(module, nn.Conv2d):
        out = WSConv2d(module.in_channels, module.out_channels, module.kernel_size, module.stride, module.padding)
        with torch.no_grad():
            out.weight.copy_(module.weight)
            out.bias.copy_(module.bias)
    for name, child in module.named_children():
        out.add_module(name, convert(child))
    return out


net = convert(nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Sequential(nn.Conv2d(4, 4, 3), nn.ReLU())))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=0.5, total_steps=3)
for _ in range(2):
    opt.zero_grad()
    net(torch.randn(1, 3, 8, 8)).mean().backward()
    opt.step()
    sched.step()
