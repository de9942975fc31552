# A parameter is a tensor that a module registers when it is assigned; it shares the memory of what it is made of.
import _mc
import torch


class Parameter(torch.Tensor):
    def __new__(cls, data=None, requires_grad=True):
        return _mc.parameter(torch.empty(0) if data is None else data, requires_grad)


class UninitializedParameter(Parameter):
    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return _mc.parameter(torch.empty(0, device=device, dtype=dtype), requires_grad)


class Buffer(torch.Tensor):  # registers as a buffer; which this file cannot say
    def __new__(cls, data=None, *, persistent=True):
        return _mc.unknown_tensor()


UninitializedBuffer = Buffer
