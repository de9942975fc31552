import torch.nn.functional as F
from torch.nn.modules.module import Module


# One number for all sides, or one for each.
def _sides(padding, dims):
    return (padding,) * (2 * dims) if isinstance(padding, int) else padding


class _CircularPadNd(Module):
    def __init__(self, padding):
        super().__init__()
        self.padding = padding

    def forward(self, input):
        return F.pad(input, _sides(self.padding, self._dims), "circular")


class CircularPad1d(_CircularPadNd):
    _dims = 1


class CircularPad2d(_CircularPadNd):
    _dims = 2


class CircularPad3d(_CircularPadNd):
    _dims = 3


class _ReflectionPadNd(Module):
    def __init__(self, padding):
        super().__init__()
        self.padding = padding

    def forward(self, input):
        return F.pad(input, _sides(self.padding, self._dims), "reflect")


class ReflectionPad1d(_ReflectionPadNd):
    _dims = 1


class ReflectionPad2d(_ReflectionPadNd):
    _dims = 2


class ReflectionPad3d(_ReflectionPadNd):
    _dims = 3


class _ReplicationPadNd(Module):
    def __init__(self, padding):
        super().__init__()
        self.padding = padding

    def forward(self, input):
        return F.pad(input, _sides(self.padding, self._dims), "replicate")


class ReplicationPad1d(_ReplicationPadNd):
    _dims = 1


class ReplicationPad2d(_ReplicationPadNd):
    _dims = 2


class ReplicationPad3d(_ReplicationPadNd):
    _dims = 3


class _ConstantPadNd(Module):
    def __init__(self, padding, value):
        super().__init__()
        self.padding = padding
        self.value = value

    def forward(self, input):
        return F.pad(input, _sides(self.padding, self._dims), "constant", self.value)


class ConstantPad1d(_ConstantPadNd):
    _dims = 1


class ConstantPad2d(_ConstantPadNd):
    _dims = 2


class ConstantPad3d(_ConstantPadNd):
    _dims = 3


class ZeroPad1d(ConstantPad1d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)


class ZeroPad3d(ConstantPad3d):
    def __init__(self, padding):
        super().__init__(padding, 0.0)
