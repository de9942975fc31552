import torch
from torch import nn

features = {}


def save(name):
    def hook(module, inputs, output):
        features[name] = output.detach().cpu()
    return hook


net = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 6)).to("cuda")
net[0].register_forward_hook(save("hidden"))
target = torch.randn(4, 12, device="cuda")
x = torch.randn(4, 6, device="cuda")
y = net(x)
align = nn.functional.mse_loss(features["hidden"], target)
print(y.sum().item() + align.item())
