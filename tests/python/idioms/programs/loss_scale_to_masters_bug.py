"""bfloat16 weights with float32 masters, and a static loss scale."""
import torch
from torch import nn


class MasterWeights:
    def __init__(self, module, lr, loss_scale):
        self.params = list(module.parameters())
        self.masters = [nn.Parameter(p.detach().float()) for p in self.params]
        self.inner = torch.optim.SGD(self.masters, lr=lr)
        self.loss_scale = loss_scale

    def backward(self, loss):
        for p in self.params:
            p.grad = None
        (loss.float() * self.loss_scale).backward()

    def step(self):
        for p, master in zip(self.params, self.masters):
            master.grad = p.grad.float() / self.loss_scale
        self.inner.step()
        with torch.no_grad():
            for p, master in zip(self.params, self.masters):
                p.copy_(master)


def main():
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 1)).to(torch.bfloat16)
    masters = MasterWeights(net, 0.1, loss_scale=2.0 ** 12)
    for _ in range(4):
        x = torch.randn(16, 6, dtype=torch.bfloat16)
        masters.backward((net(x) - x.sum(1, keepdim=True)).pow(2).mean())
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        masters.step()


main()
