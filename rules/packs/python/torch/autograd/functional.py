# Derivatives of a function, which is called with the inputs: those of one input, or of all of a tuple.
import _mc
import torch


def _called(func, inputs):
    return func(inputs) if isinstance(inputs, torch.Tensor) else func(*inputs)


def _like(inputs):
    return torch.empty_like(inputs) if isinstance(inputs, torch.Tensor) else tuple([torch.empty_like(x) for x in inputs])


def vjp(func, inputs, v=None, create_graph=False, strict=False):
    return _called(func, inputs), _like(inputs)


def jvp(func, inputs, v=None, create_graph=False, strict=False):
    outputs = _called(func, inputs)
    return outputs, _like(outputs)


def vhp(func, inputs, v=None, create_graph=False, strict=False):
    return _called(func, inputs), _like(inputs)


def hvp(func, inputs, v=None, create_graph=False, strict=False):
    return _called(func, inputs), _like(inputs)


# Their dimensions are those of the output and of the input.
def jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy="reverse-mode"):
    _called(func, inputs)
    return _mc.unknown()


def hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy="reverse-mode"):
    _called(func, inputs)
    return _mc.unknown()
