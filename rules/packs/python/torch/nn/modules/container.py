# Containers. What _mc_members holds, a list or a dict, is registered under its index or key.
import torch
from torch.nn.modules.module import Module
from torch.nn.parameter import Parameter


class Container(Module):
    def __init__(self, **kwargs):
        super().__init__()
        self._mc_members = kwargs

    def __getattr__(self, name):
        return _member(self, name)


# A member of a dict as an attribute.
def _member(self, name):
    if name != "_mc_members" and isinstance(self._mc_members, dict) and name in self._mc_members:
        return self._mc_members[name]
    raise AttributeError(name)


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        self._mc_members = [] if modules is None else list(modules)

    def append(self, module):
        self._mc_members.append(module)
        return self

    def extend(self, modules):
        self._mc_members.extend(modules)
        return self

    def insert(self, index, module):
        self._mc_members.insert(index, module)

    def pop(self, key):
        return self._mc_members.pop(key)

    def add_module(self, name, module):
        self._mc_members.append(module)

    def __iter__(self):
        return iter(self._mc_members)

    def __len__(self):
        return len(self._mc_members)

    def __getitem__(self, index):
        found = self._mc_members[index]
        return ModuleList(found) if isinstance(index, slice) else found

    def __setitem__(self, index, module):
        self._mc_members[index] = module

    def __delitem__(self, index):
        del self._mc_members[index]

    def __add__(self, other):
        return ModuleList(self._mc_members + list(other))

    def __iadd__(self, modules):
        return self.extend(modules)

    def __contains__(self, module):
        return module in self._mc_members


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            self._mc_members = dict(args[0])
        else:
            self._mc_members = list(args)

    def __getattr__(self, name):
        return _member(self, name)

    def _list(self):
        return list(self._mc_members.values()) if isinstance(self._mc_members, dict) else self._mc_members

    def add_module(self, name, module):
        if not isinstance(self._mc_members, dict):
            self._mc_members = {str(i): m for i, m in enumerate(self._mc_members)}
        self._mc_members[name] = module

    def append(self, module):
        if isinstance(self._mc_members, dict):
            self._mc_members[str(len(self._mc_members))] = module
        else:
            self._mc_members.append(module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    def insert(self, index, module):
        self._mc_members = self._list()
        self._mc_members.insert(index, module)
        return self

    def pop(self, key):
        self._mc_members = self._list()
        return self._mc_members.pop(key)

    def __iter__(self):
        return iter(self._list())

    def __len__(self):
        return len(self._mc_members)

    def __getitem__(self, index):
        found = self._list()[index]
        return Sequential(*found) if isinstance(index, slice) else found

    def __setitem__(self, index, module):
        self._mc_members = self._list()
        self._mc_members[index] = module

    def __delitem__(self, index):
        self._mc_members = self._list()
        del self._mc_members[index]

    def __add__(self, other):
        return Sequential(*self._list(), *other)

    def __iadd__(self, other):
        return self.extend(other)

    def forward(self, input):
        for module in self._list():
            input = module(input)
        return input


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        self._mc_members = {}
        if modules is not None:
            self.update(modules)

    def __getattr__(self, name):
        return _member(self, name)

    def update(self, modules):
        self._mc_members.update(modules._mc_members if isinstance(modules, ModuleDict) else dict(modules))

    def add_module(self, name, module):
        self._mc_members[name] = module

    def __getitem__(self, key):
        return self._mc_members[key]

    def __setitem__(self, key, module):
        self._mc_members[key] = module

    def __delitem__(self, key):
        del self._mc_members[key]

    def __len__(self):
        return len(self._mc_members)

    def __iter__(self):
        return iter(self._mc_members)

    def __contains__(self, key):
        return key in self._mc_members

    def keys(self):
        return self._mc_members.keys()

    def values(self):
        return self._mc_members.values()

    def items(self):
        return self._mc_members.items()

    def pop(self, key):
        return self._mc_members.pop(key)

    def clear(self):
        self._mc_members.clear()


# Tensors become parameters when they are put in.
def _as_parameter(x):
    return Parameter(x) if isinstance(x, torch.Tensor) and not isinstance(x, Parameter) else x


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        self._mc_members = [] if values is None else [_as_parameter(v) for v in values]

    def append(self, value):
        self._mc_members.append(_as_parameter(value))
        return self

    def extend(self, values):
        self._mc_members.extend([_as_parameter(v) for v in values])
        return self

    def __iter__(self):
        return iter(self._mc_members)

    def __len__(self):
        return len(self._mc_members)

    def __getitem__(self, index):
        found = self._mc_members[index]
        return ParameterList(found) if isinstance(index, slice) else found

    def __setitem__(self, index, value):
        self._mc_members[index] = _as_parameter(value)

    def __iadd__(self, values):
        return self.extend(values)


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        self._mc_members = {}
        if parameters is not None:
            self.update(parameters)

    def __getattr__(self, name):
        return _member(self, name)

    def update(self, parameters):
        for key, value in dict(parameters.items()).items():
            self._mc_members[key] = _as_parameter(value)

    def __getitem__(self, key):
        return self._mc_members[key]

    def __setitem__(self, key, value):
        self._mc_members[key] = _as_parameter(value)

    def __delitem__(self, key):
        del self._mc_members[key]

    def __len__(self):
        return len(self._mc_members)

    def __iter__(self):
        return iter(self._mc_members)

    def __contains__(self, key):
        return key in self._mc_members

    def keys(self):
        return self._mc_members.keys()

    def values(self):
        return self._mc_members.values()

    def items(self):
        return self._mc_members.items()

    def get(self, key, default=None):
        return self._mc_members.get(key, default)

    def pop(self, key):
        return self._mc_members.pop(key)
