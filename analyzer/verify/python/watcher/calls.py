"""Which calls are operations, what they are called, and those that a mode does not see."""

import ctypes

import torch

# Properties of a tensor that are tensors themselves.
TENSORS = frozenset(("T", "H", "mT", "mH", "real", "imag", "data", "grad"))
# Questions that do not read elements, and what torch does for itself.
QUESTIONS = frozenset((
    "size", "dim", "ndimension", "stride", "numel", "nelement", "is_floating_point", "is_complex",
    "is_signed", "is_contiguous", "is_pinned", "is_shared", "is_set_to", "is_same_size", "element_size",
    "storage", "untyped_storage", "_typed_storage", "storage_offset", "storage_type", "data_ptr",
    "get_device", "type_as_", "result_type", "can_cast", "promote_types", "is_tensor", "is_storage",
    "get_default_dtype", "finfo", "iinfo", "__len__", "__hash__", "__dir__", "register_hook",
    "retain_grad", "_is_view", "is_inference", "has_names", "names", "is_nonzero_", "is_grad_enabled",
    "_has_compatible_shallow_copy_type", "_make_subclass", "__set__", "__delete__",
    "_record_function_enter", "_record_function_exit", "_record_function_enter_new", "_backward_hooks",
))
# They write into their first operand, whatever their name.
WRITERS = frozenset(("__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__"))
NO_WRITERS = frozenset(("requires_grad_", "retain_grad_", "share_memory_", "rename_", "detach_"))

NAMES = {
    "__add__": "add", "__radd__": "add", "__iadd__": "add_", "__sub__": "sub", "__rsub__": "rsub",
    "__isub__": "sub_", "__mul__": "mul", "__rmul__": "mul", "__imul__": "mul_", "__truediv__": "div",
    "__rtruediv__": "div", "__rdiv__": "div", "__div__": "div", "__idiv__": "div_",
    "__itruediv__": "div_", "__floordiv__": "floor_divide", "__rfloordiv__": "floor_divide",
    "__ifloordiv__": "floor_divide_", "__mod__": "remainder", "__rmod__": "remainder",
    "__matmul__": "matmul", "__rmatmul__": "matmul", "__pow__": "pow", "__rpow__": "pow",
    "__ipow__": "pow_", "__neg__": "neg", "__invert__": "bitwise_not", "__and__": "bitwise_and",
    "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__eq__": "eq", "__ne__": "ne", "__lt__": "lt",
    "__le__": "le", "__gt__": "gt", "__ge__": "ge", "__getitem__": "index", "__setitem__": "index_put_",
}

known = {}


def is_writer(op):
    return op in WRITERS or (op.endswith("_") and op not in NO_WRITERS)


def name_of(func):
    """The name of an operation; None: it is none."""
    try:
        return known[func]
    except (KeyError, TypeError):
        pass
    name = getattr(func, "__name__", None) or type(func).__name__
    if name == "__get__":
        name = getattr(getattr(func, "__self__", None), "__name__", "")
        name = name if name in TENSORS else None
    elif name in QUESTIONS or name.startswith("_") and not name.startswith("__"):
        name = None
    else:
        name = NAMES.get(name, name)
    try:
        known[func] = name
    except TypeError:
        pass
    return name


def install(observer):
    """Wraps what modes do not see in this version."""
    wrap(observer, torch, "from_numpy")
    wrap(observer, torch, "frombuffer")
    if not sees(lambda t, one: t.__setitem__(0, one)):
        wrap(observer, torch.Tensor, "__setitem__")
    if not sees(lambda t, one: t[0]) and not wrap_reading(observer):
        observer.recorder.misses_reads()
    undo_sequence()
    torch.autograd.Variable._execution_engine = Engine(observer)


def wrap(observer, owner, name):
    func = getattr(owner, name, None)
    if func is None:
        return

    def wrapped(*args, **kwargs):
        if observer.is_active():
            return observer.see(func, args, kwargs)
        return func(*args, **kwargs)

    wrapped.__name__ = wrapped.__qualname__ = name
    wrapped.__doc__ = func.__doc__
    setattr(owner, name, wrapped)


def sees(call):
    """Whether a mode sees a call."""
    seen = []

    class Probe(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            seen.append(func)
            return func(*args, **(kwargs or {}))

    t, one = torch.zeros(1), torch.ones(())
    with Probe():
        call(t, one)
    return bool(seen)


def wrap_reading(observer):
    """Wraps x[i]. False: it would make something else of tensors, and nothing is wrapped."""
    wrap(observer, torch.Tensor, "__getitem__")
    if undo_sequence():
        return True
    del torch.Tensor.__getitem__
    return False


def undo_sequence():
    """A class with __getitem__ is a sequence, for which torch.tensor([x]) would take x: tensors are
    none. False: they are one now."""
    t = torch.zeros(1)
    is_sequence = ctypes.pythonapi.PySequence_Check
    is_sequence.argtypes = [ctypes.py_object]
    if not is_sequence(t):
        return True
    words = ctypes.cast(id(torch.Tensor), ctypes.POINTER(ctypes.c_void_p))
    methods = ctypes.cast(words[AS_SEQUENCE], ctypes.POINTER(ctypes.c_void_p))
    before = methods[ITEM]
    methods[ITEM] = None
    if not is_sequence(t) and t[0].dim() == 0:
        return True
    methods[ITEM] = before
    return False


# In words, where CPython 3.8 to 3.13 have the sequence methods of a class, and that of items in them.
AS_SEQUENCE, ITEM = 13, 3


class Engine:
    """The engine of backward passes. A mode is off while its own handler runs, which is where most
    of them begin: it is entered again, so that operations of the program's own functions and hooks
    in it are seen."""

    def __init__(self, observer):
        self.__dict__["plain"] = torch.autograd.Variable._execution_engine
        self.__dict__["observer"] = observer

    def __getattr__(self, name):
        return getattr(self.plain, name)

    def __setattr__(self, name, value):
        setattr(self.plain, name, value)

    def run_backward(self, *args, **kwargs):
        observer = self.observer
        if observer.recorder.in_backward:
            return self.plain.run_backward(*args, **kwargs)
        observer.recorder.in_backward = True
        try:
            if observer.is_active():
                return self.plain.run_backward(*args, **kwargs)
            with observer:
                return self.plain.run_backward(*args, **kwargs)
        finally:
            observer.recorder.in_backward = False
