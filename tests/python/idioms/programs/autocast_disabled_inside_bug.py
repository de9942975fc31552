import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 4)

    def forward(self, features):
        with torch.autocast("cuda", enabled=False):
            return self.fc(features)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(8, 16)
        self.head = Head()

    def forward(self, x):
        return self.head(self.backbone(x))


model = Model().cuda()
x = torch.randn(2, 8, device="cuda")
with torch.autocast("cuda", dtype=torch.float16):
    out = model(x)
print(out.dtype)
