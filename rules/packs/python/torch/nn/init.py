# Initial values, in place. Which values does not matter here, except constants.
import torch


def _random(tensor):
    with torch.no_grad():
        return tensor.normal_()


def constant_(tensor, val):
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _random(tensor)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _random(tensor)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    return _random(tensor)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    return _random(tensor)


def xavier_normal_(tensor, gain=1.0, generator=None):
    return _random(tensor)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return _random(tensor)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    return _random(tensor)


def orthogonal_(tensor, gain=1, generator=None):
    return _random(tensor)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    return _random(tensor)


def eye_(tensor):
    return _random(tensor)


def dirac_(tensor, groups=1):
    return _random(tensor)


# The names without an underscore, which torch still has.
uniform = uniform_
normal = normal_
constant = constant_
xavier_uniform = xavier_uniform_
xavier_normal = xavier_normal_
kaiming_uniform = kaiming_uniform_
kaiming_normal = kaiming_normal_
orthogonal = orthogonal_


def calculate_gain(nonlinearity, param=None):
    return float(torch.rand(1))


def _calculate_fan_in_and_fan_out(tensor):
    return tensor.size(1), tensor.size(0)


def _calculate_correct_fan(tensor, mode):
    return tensor.size(1)
