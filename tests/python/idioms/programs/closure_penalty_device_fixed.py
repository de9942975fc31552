import torch
import torch.nn as nn


def make_regularizer(model, weight):
    anchors = {n: p.detach().clone() for n, p in model.named_parameters()}

    def penalty():
        total = 0.0
        for n, p in model.named_parameters():
            total = total + ((p - anchors[n]) ** 2).sum()
        return weight * total

    return penalty


def train(model, tasks, device):
    regs = []
    for x, y in tasks:
        opt = torch.optim.SGD(model.parameters(), lr=0.05)
        for _ in range(2):
            opt.zero_grad()
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            loss = loss + sum(r() for r in regs)
            loss.backward()
            opt.step()
        regs.append(make_regularizer(model, 0.1))


device = "cuda"
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)).to(device)
tasks = [(torch.randn(6, 4), torch.randn(6, 2)) for _ in range(2)]
train(net, tasks, device)
