"""Labels: a tensor that is said to be on cuda has an attribute that says so. Its data is on the CPU,
and so is its device for everything that does not go through a mode.

A tensor without the attribute is on the CPU. Operations label their results; nothing is derived
from memory, so that a view made by an operation is labelled like any other result.
"""

import torch

ATTRIBUTE = "_miscast_device"
CPU = torch.device("cpu")
CUDA = torch.device("cuda", 0)
Tensor = torch.Tensor


class CannotSimulate(BaseException):
    """The simulation does not know what PyTorch would do; nothing may be concluded from the run. No
    Exception, so that no handler of the program goes on with it."""

    def __init__(self, what):
        super().__init__("'%s' cannot be simulated" % what)
        self.what = what
        if state.unknown is None:
            state.unknown = what


class State:
    """active: whether any tensor was labelled, or tensors are made on cuda by default.
    unknown: the first thing that could not be simulated, in case the program swallows the exception.
    default: the device of tensors that are made without one, None: the CPU."""

    def __init__(self):
        self.active = False
        self.unknown = None
        self.default = None


state = State()


def label(tensor):
    """The device a tensor is said to be on."""
    return CUDA if tensor.__dict__.get(ATTRIBUTE) else CPU


def is_cuda(tensor):
    return ATTRIBUTE in tensor.__dict__ and tensor.__dict__[ATTRIBUTE]


def put(tensor, device):
    """Labels one tensor."""
    if device is CUDA:
        state.active = True
        tensor.__dict__[ATTRIBUTE] = True
    elif ATTRIBUTE in tensor.__dict__:
        tensor.__dict__[ATTRIBUTE] = False
    return tensor


def put_all(value, device):
    """Labels all tensors in a result."""
    if isinstance(value, Tensor):
        put(value, device)
    elif isinstance(value, (tuple, list)):
        for part in value:
            put_all(part, device)
    elif isinstance(value, dict):
        for part in value.values():
            put_all(part, device)
    return value


def tensors_in(values, found):
    """Appends the tensors among arguments, in their order."""
    for value in values:
        if isinstance(value, Tensor):
            found.append(value)
        elif type(value) in (tuple, list) or isinstance(value, (tuple, list)):
            tensors_in(value, found)
        elif isinstance(value, dict):
            tensors_in(value.values(), found)
    return found


def device_of(value):
    """The device an argument means; None: it means none. A device that the simulation has not (the
    second GPU) cannot be simulated, others are returned as they are."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        value = torch.device("cuda", value)
    elif isinstance(value, str):
        value = torch.device(value)
    if not isinstance(value, torch.device):
        return None
    if value.type == "cuda":
        if value.index:
            raise CannotSimulate(str(value))
        return CUDA
    return CPU if value.type == "cpu" else value
