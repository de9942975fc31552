import enum

import torch
from torch import nn


class Precision(enum.Enum):
    FP32 = torch.float32
    FP16 = torch.float16
    BF16 = torch.bfloat16

    @property
    def is_half(self):
        return self in (Precision.FP16, Precision.BF16)


class Runner:
    def __init__(self, precision):
        self.precision = precision
        self.model = nn.Conv2d(3, 8, 3).cuda()
        if precision.is_half:
            self.model = self.model.to(precision.value)

    def __call__(self, img):
        img = img.cuda()
        return self.model(img)


runner = Runner(Precision.BF16)
print(runner(torch.rand(1, 3, 16, 16)).shape)
