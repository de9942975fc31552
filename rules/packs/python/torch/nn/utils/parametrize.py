from contextlib import nullcontext


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    return module


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    return module


def is_parametrized(module, tensor_name=None):
    return False


def cached():
    return nullcontext()
