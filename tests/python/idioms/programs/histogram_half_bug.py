import torch
from torch import nn


class TokenUsage(nn.Module):
    """Counts how often each expert was chosen."""

    def __init__(self, experts, dtype=torch.float32):
        super().__init__()
        self.router = nn.Linear(16, experts, dtype=dtype)
        self.register_buffer("usage", torch.zeros(experts, dtype=dtype))

    def forward(self, x):
        choice = self.router(x).argmax(-1)
        choice = choice.flatten()
        for i in range(len(choice)):
            self.usage[int(choice[i])] += 1
        return choice


def main():
    net = TokenUsage(8, torch.float16).cuda()
    for _ in range(100):
        net(torch.randn(32, 128, 16, device="cuda", dtype=torch.float16))
    print(net.usage)


main()
