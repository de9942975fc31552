import torch.nn as nn

_REGISTRY = {}


def register_model(fn):
    _REGISTRY[fn.__name__] = fn
    return fn


class ConvNet(nn.Module):
    def __init__(self, width, num_classes):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.bn = nn.BatchNorm2d(width)
        self.head = nn.Linear(width, num_classes)

    def forward(self, x):
        x = self.bn(self.stem(x)).relu()
        return self.head(x.mean((2, 3)))


@register_model
def tiny_cnn(num_classes=10):
    return ConvNet(8, num_classes)


@register_model
def small_cnn(num_classes=10):
    return ConvNet(16, num_classes)


def create_model(name, **kwargs):
    if name not in _REGISTRY:
        raise KeyError(name)
    return _REGISTRY[name](**kwargs)
