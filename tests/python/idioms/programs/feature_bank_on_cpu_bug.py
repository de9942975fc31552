from collections import deque
import torch
import torch.nn as nn


class FeatureBank:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def push(self, f):
        self.items.extend(f.detach().cpu())

    def nearest(self, q):
        bank = torch.stack(list(self.items))
        return (q @ bank.t()).argmax(-1)


if __name__ == "__main__":
    net = nn.Linear(4, 4).cuda()
    bank = FeatureBank(16)
    for _ in range(3):
        f = net(torch.randn(2, 4, device="cuda"))
        bank.push(f)
    print(bank.nearest(f))
