import torch
import torch.nn as nn


def convert_network(network, dtype):
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.LayerNorm)):
            continue
        for p in module.parameters(recurse=False):
            p.data = p.data.to(dtype)
    return network


def initialize(model, opt_level="O1"):
    if opt_level == "O2":
        model = convert_network(model, torch.float16)
    return model


class VisionBlock(nn.Module):
    def __init__(self, width, heads=4):
        super().__init__()
        self.ln = nn.LayerNorm(width)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        return x + self.proj(self.ln(x.float()).to(x.dtype))


class VisionTransformer(nn.Module):
    def __init__(self, width=64, layers=2):
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 16, 16)
        self.blocks = nn.Sequential(*[VisionBlock(width) for _ in range(layers)])

    def forward(self, image):
        x = self.conv1(image)
        x = x.flatten(2).permute(0, 2, 1)
        return self.blocks(x)


model = initialize(VisionTransformer().cuda(), opt_level="O2")
images = torch.randn(2, 3, 64, 64).cuda().half()
print(model(images).dtype)
