import torch
from torch import nn


class VisionEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 8, 4, stride=4)
        self.proj = nn.Linear(8, 4)
        self.input_dtype = self.proj.weight.dtype

    def forward(self, images):
        x = self.patch(images.to(self.input_dtype))
        return self.proj(x.flatten(2).transpose(1, 2))


model = VisionEncoder().to(torch.bfloat16)
print(model(torch.rand(1, 3, 16, 16)).dtype)
