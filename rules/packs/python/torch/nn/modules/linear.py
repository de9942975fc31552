import torch
import torch.nn.functional as F
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty((out_features, in_features), device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype)) if bias else None

    def reset_parameters(self):
        pass

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)


class NonDynamicallyQuantizableLinear(Linear):
    pass


class LazyLinear(Linear):  # in_features is that of the first input
    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, out_features, bias, device, dtype)
        self.weight = Parameter(torch.empty_like(self.weight))


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = Parameter(torch.empty((out_features, in1_features, in2_features), device=device, dtype=dtype))
        self.bias = Parameter(torch.empty(out_features, device=device, dtype=dtype)) if bias else None

    def reset_parameters(self):
        pass

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)
