import torch
from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(8, 16)
        self.body = nn.Linear(16, 16)

    def forward(self, x):
        return self.body(self.stem(x))


features = []


def keep(module, inputs, output):
    features.append(output.detach().float())
    return output


net = Backbone().to(torch.bfloat16)
net.stem.register_forward_hook(keep)
print(net(torch.randn(2, 8).to(torch.bfloat16)).dtype)
