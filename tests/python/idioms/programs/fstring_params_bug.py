import torch
from torch import nn


class Deep(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n
        for i in range(n):
            setattr(self, f"fc{i}", nn.Linear(6, 6))
            self.register_buffer(f"scale{i}", torch.ones(6))
        self.out_scale = torch.ones(6)

    def forward(self, x):
        for i in range(self.n):
            x = getattr(self, f"fc{i}")(x) * getattr(self, f"scale{i}")
        return x * self.out_scale


net = Deep(3)
net.cuda()
print(net(torch.zeros(1, 6, device="cuda")))
