# Module: what it registers, and what .to() and its relatives do to that. Hooks are not run.
import _mc
import torch


class _IncompatibleKeys:
    def __init__(self, missing_keys, unexpected_keys):
        self.missing_keys = missing_keys
        self.unexpected_keys = unexpected_keys

    def __iter__(self):
        return iter((self.missing_keys, self.unexpected_keys))


class _Handle:
    def __init__(self, hooks=None, hook=None):
        self._hooks = hooks
        self._hook = hook

    def remove(self):
        if self._hooks is not None:
            self._hooks.remove(self._hook)


class Module:
    _mc_registers = True  # its fields that are parameters, buffers and modules are members
    _mc_has_nothing_else = True  # an attribute that it does not describe is not there
    _mc_call = "forward"  # what a call of an instance calls
    _mc_of_parameters = "requires_grad"  # an attribute that its parameters have, and it does not
    dump_patches = False
    call_super_init = False

    def __init__(self, *args, **kwargs):
        self.training = True

    # ---- registration: parameters and modules register when they are assigned ----

    def register_buffer(self, name, tensor, persistent=True):
        _mc.set_buffer(self, name, tensor, persistent)

    def register_parameter(self, name, param):
        setattr(self, name, param)

    def add_module(self, name, module):
        setattr(self, name, module)

    def register_module(self, name, module):
        setattr(self, name, module)

    # ---- dtype and device: modules change in place; what is not registered stays as it is ----

    def _apply(self, fn, recurse=True):
        _mc.each_tensor(self, fn)
        return self

    def to(self, device=None, dtype=None, non_blocking=False, copy=False, *, tensor=None, memory_format=None):
        if _mc.is_anything(device):  # or a dtype, or a tensor
            if dtype is not None:
                self.to(dtype=dtype)
            _mc.open(self, dtype is not None)
            return self
        if isinstance(device, torch.dtype):  # to(dtype, non_blocking)
            device, dtype = None, device
        elif isinstance(device, torch.Tensor):  # to(tensor, non_blocking)
            device, dtype = device.device, device.dtype
        elif tensor is not None:
            device, dtype = tensor.device, tensor.dtype
        if dtype is not None and not (dtype.is_floating_point or dtype.is_complex):
            raise TypeError(f"nn.Module.to only accepts floating point or complex dtypes, not {dtype}")

        def convert(t):
            if dtype is not None and (t.is_floating_point() or t.is_complex()):
                t = t.to(dtype)
            return t if device is None else t.to(device)

        return self._apply(convert)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def type(self, dst_type):  # of integers too
        return self._apply(lambda t: t.type(dst_type))

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def cpu(self):
        return self._apply(lambda t: t.cpu())

    def to_empty(self, *, device, recurse=True):
        return self._apply(lambda t: torch.empty_like(t, device=device))

    def share_memory(self):
        return self

    # ---- walks ----

    def parameters(self, recurse=True):
        return iter([p for _, p in self.named_parameters(recurse=recurse)] if not recurse else _mc.parameters(self))

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_renamed(_mc.named_parameters(self), prefix, recurse))

    def buffers(self, recurse=True):
        return iter([b for _, b in self.named_buffers(recurse=recurse)] if not recurse else _mc.buffers(self))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(_renamed(_mc.named_buffers(self), prefix, recurse))

    def children(self):
        return iter(_mc.children(self))

    def named_children(self):
        return iter(_mc.named_children(self))

    def modules(self):
        return iter(_mc.modules(self))

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        return iter(_renamed(_mc.named_modules(self), prefix, True))

    def apply(self, fn):  # torch goes through children first
        for m in _mc.modules(self):
            fn(m)
        return self

    def get_submodule(self, target):
        for name, m in _mc.named_modules(self):
            if name == target:
                return m
        raise AttributeError(f"no module {target}")

    def get_parameter(self, target):
        for name, p in _mc.named_parameters(self):
            if name == target:
                return p
        raise AttributeError(f"no parameter {target}")

    def get_buffer(self, target):
        for name, b in _mc.named_buffers(self):
            if name == target:
                return b
        raise AttributeError(f"no buffer {target}")

    @property
    def _parameters(self):
        return dict(_renamed(_mc.named_parameters(self), "", False))

    @property
    def _buffers(self):
        return dict(_renamed(_mc.named_buffers(self), "", False))

    @property
    def _modules(self):
        return dict(_mc.named_children(self))

    # ---- states ----

    def train(self, mode=True):
        for m in _mc.modules(self):
            m.training = mode
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for p in _mc.parameters(self):
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none=True):
        for p in _mc.parameters(self):
            p.grad = None

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        state = {}
        _mc.saved(self)
        for name, t in _mc.named_parameters(self):
            state[prefix + name] = t if keep_vars else t.detach()
        for name, t in _mc.named_buffers(self):
            state[prefix + name] = t if keep_vars else t.detach()
        return state

    def load_state_dict(self, state_dict, strict=True, assign=False):
        with torch.no_grad():
            for name, p in _mc.named_parameters(self) + _mc.named_buffers(self):
                if strict or name in state_dict:  # a strict one raises where a name is missing
                    if assign:
                        p.data = state_dict[name]
                    else:
                        p.copy_(state_dict[name])  # which keeps its own dtype and device
        return _IncompatibleKeys([], [])

    # ---- hooks ----

    def _register(self, name, hook):
        if not hasattr(self, "_forward_hooks"):
            self._forward_hooks = []
            self._forward_pre_hooks = []
            self._mc_call = "_hooked"
        hooks = getattr(self, name)
        hooks.append(hook)
        return _Handle(hooks, hook)

    def _hooked(self, *args, **kwargs):
        for hook in self._forward_pre_hooks:
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        output = self.forward(*args, **kwargs)
        for hook in self._forward_hooks:
            changed = hook(self, args, output)
            if changed is not None:
                output = changed
        return output

    # ---- what changes no tensor ----

    def register_forward_hook(self, hook, **options):
        return self._register("_forward_hooks", hook)

    def register_forward_pre_hook(self, hook, **options):
        return self._register("_forward_pre_hooks", hook)

    def register_full_backward_hook(self, hook, prepend=False):
        return _Handle()

    def register_backward_hook(self, hook):
        return _Handle()

    def register_state_dict_pre_hook(self, hook):
        return _Handle()

    def register_load_state_dict_pre_hook(self, hook):
        return _Handle()

    def register_load_state_dict_post_hook(self, hook):
        return _Handle()

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return _Handle()

    def _register_state_dict_hook(self, hook):
        return _Handle()

    def compile(self, *args, **kwargs):
        pass

    def get_extra_state(self):
        return None

    def set_extra_state(self, state):
        pass

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__


# Of pairs (name, x): with a prefix, and without what submodules hold.
def _renamed(pairs, prefix, recurse):
    if not recurse:
        pairs = [(name, x) for name, x in pairs if "." not in name]
    if prefix:
        pairs = [(prefix + "." + name, x) for name, x in pairs]
    return pairs
