import torch
from torch import nn


def train(dtype, scale):
    net = nn.Linear(8, 4).cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(3):
        x, y = torch.randn(4, 8, device="cuda"), torch.randint(0, 4, (4,), device="cuda")
        opt.zero_grad()
        with torch.autocast("cuda", dtype=dtype):
            loss = nn.functional.cross_entropy(net(x), y)
        (loss * scale).backward()
        for p in net.parameters():
            p.grad /= scale
        opt.step()


def train_wide():
    net = nn.Linear(8, 4).cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for _ in range(3):
        x, y = torch.randn(4, 8, device="cuda"), torch.randint(0, 4, (4,), device="cuda")
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()


train(torch.float16, 1024.0)
train_wide()
