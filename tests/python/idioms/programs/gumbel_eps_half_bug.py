import torch
from torch import nn


def gumbel_softmax(logits, tau=1.0, eps=1e-10):
    u = torch.rand_like(logits)
    noise = -torch.log(-torch.log(u + eps) + eps)
    return torch.softmax((logits + noise).float() / tau, dim=-1)


class Router(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(16, 64)

    def forward(self, x):
        return gumbel_softmax(self.gate(x))


def main():
    torch.manual_seed(0)
    router = Router().half().cuda()
    x = torch.randn(4096, 16, device="cuda").half()
    print(torch.isfinite(router(x)).all().item())


main()
