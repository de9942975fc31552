"""Labels: a tensor that is said to be on cuda has an attribute that says so. Its data is on the CPU,
and so is its device for everything that does not go through a mode.

There is one GPU, but a program that names others has them. A device is one of the objects here, so
that two labels are the same if they are the same object. A tensor without the attribute is on the CPU. Operations label their results; nothing is derived
from memory, so that a view made by an operation is labelled like any other result.
"""

import torch

ATTRIBUTE = "_miscast_device"
CPU = torch.device("cpu")
DEVICES = tuple(torch.device("cuda", i) for i in range(16))
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
    default: the device of tensors that are made without one, None: the CPU.
    current: the number of the GPU that "cuda" means.
    is_hidden: there is none."""

    def __init__(self):
        self.active = False
        self.unknown = None
        self.default = None
        self.current = 0
        self.is_hidden = False


state = State()


def label(tensor):
    """The device a tensor is said to be on."""
    number = tensor.__dict__.get(ATTRIBUTE)
    return DEVICES[number - 1] if number else CPU


def is_cuda(tensor):
    return ATTRIBUTE in tensor.__dict__ and tensor.__dict__[ATTRIBUTE] > 0


def current():
    """The device that "cuda" means."""
    return DEVICES[state.current]


def put(tensor, device):
    """Labels one tensor."""
    if device is not CPU:
        state.active = True
        tensor.__dict__[ATTRIBUTE] = device.index + 1
    elif ATTRIBUTE in tensor.__dict__:
        tensor.__dict__[ATTRIBUTE] = 0
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
    """The device an argument means; None: it means none. Devices that are neither the CPU nor a GPU are
    returned as they are."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int):
        value = torch.device("cuda", value)
    elif isinstance(value, str):
        value = torch.device(value)
    if not isinstance(value, torch.device):
        return None
    if value.type == "cuda":
        if state.is_hidden:
            raise RuntimeError("No CUDA GPUs are available")
        index = state.current if value.index is None else value.index
        if index >= len(DEVICES):
            raise CannotSimulate(str(value))
        return DEVICES[index]
    return CPU if value.type == "cpu" else value
