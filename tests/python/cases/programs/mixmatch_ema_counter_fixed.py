import torch
from torch import nn


class WideResNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.bn = nn.BatchNorm2d(8)
        self.fc = nn.Linear(8, classes)

    def forward(self, x):
        return self.fc(torch.relu(self.bn(self.conv(x))).mean((2, 3)))


class WeightEMA:
    def __init__(self, model, ema_model, lr, alpha=0.999):
        self.alpha = alpha
        self.wd = 0.02 * lr
        self.params = list(model.state_dict().values())
        self.ema_params = list(ema_model.state_dict().values())

    def step(self):
        one_minus_alpha = 1.0 - self.alpha
        for param, ema_param in zip(self.params, self.ema_params):
            if not ema_param.dtype.is_floating_point:
                continue
            ema_param.mul_(self.alpha)
            ema_param.add_(param * one_minus_alpha)
            param.mul_(1 - self.wd)


model, ema_model = WideResNet(), WideResNet()
for p in ema_model.parameters():
    p.detach_()
optimizer = torch.optim.Adam(model.parameters(), lr=0.002)
ema_optimizer = WeightEMA(model, ema_model, lr=0.002)
for i in range(2):
    loss = model(torch.randn(4, 3, 8, 8)).logsumexp(1).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema_optimizer.step()
