import argparse
from abc import ABC, abstractmethod

import torch
from torch import nn


class Backbone(nn.Module, ABC):
    registry = {}

    def __init_subclass__(cls, name=None, **kwargs):
        super().__init_subclass__(**kwargs)
        if name:
            Backbone.registry[name] = cls

    @classmethod
    def create(cls, name, *args, **kwargs):
        return cls.registry[name](*args, **kwargs)

    @abstractmethod
    def features(self, x):
        ...

    def forward(self, x):
        return self.head(self.features(x))


class Small(Backbone, name="small"):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Conv2d(3, 4, 3)
        self.head = nn.Linear(4, classes)

    def features(self, x):
        return self.body(x).mean((2, 3))


class Large(Backbone, name="large"):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3))
        self.head = nn.Linear(8, classes)

    def features(self, x):
        return self.body(x).mean((2, 3))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--arch", default="small", choices=["small", "large"])
    p.add_argument("--half", action="store_true")
    a = p.parse_args()
    model = Backbone.create(a.arch, 5).cuda().eval()
    image = torch.rand(1, 3, 8, 8).cuda()
    if a.half:
        model.half()
    with torch.no_grad():
        print(model(image))
