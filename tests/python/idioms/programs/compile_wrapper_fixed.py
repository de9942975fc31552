import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 4)).cuda()
net = torch.compile(net) if hasattr(torch, "compile") else net
net = nn.DataParallel(net) if torch.cuda.device_count() > 1 else net
opt = torch.optim.RMSprop(net.parameters())
x = torch.randn(2, 4, device="cuda")
y = torch.randn(2, 4, device="cuda")
for _ in range(2):
    loss = (net(x) - y).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
