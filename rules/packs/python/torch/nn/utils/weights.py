# Weights that are computed from others before each forward(): they keep dtype and device of the module, so the module
# stays as it is, with the new parameters next to the old.
import torch
from torch.nn.parameter import Parameter


def weight_norm(module, name="weight", dim=0):
    weight = getattr(module, name)
    setattr(module, name + "_g", Parameter(torch.empty_like(weight)))
    setattr(module, name + "_v", Parameter(torch.empty_like(weight)))
    return module


def remove_weight_norm(module, name="weight"):
    return module


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    weight = getattr(module, name)
    setattr(module, name + "_orig", Parameter(torch.empty_like(weight)))
    module.register_buffer(name + "_u", torch.empty_like(weight[0]))
    module.register_buffer(name + "_v", torch.empty_like(weight[0]))
    return module


def remove_spectral_norm(module, name="weight"):
    return module
