"""Makes what a function is called with. Every part of it has a path ("x", "Net.dim", "config.width")
and a description (guess.py), which the search changes: state, by path."""

import importlib
import inspect
import itertools

import torch

from . import guess

MOST_DEPTH = 4
DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}


class Config:
    """Has every attribute, and every item: what its name says."""

    def __init__(self, maker, path, depth):
        self.__dict__.update(_maker=maker, _path=path, _depth=depth)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._maker.make("%s.%s" % (self._path, name), lambda: config_value(name), self._depth + 1)
        self.__dict__[name] = value
        return value

    def __getitem__(self, name):
        return getattr(self, str(name))

    def __contains__(self, name):
        return not str(name).isdigit()

    def get(self, name, default=None):
        return default if default is not None else getattr(self, str(name))


def config_value(name):
    """Of an attribute that nothing else is known of."""
    return guess.named(name, set(), True)


class Data(list):
    """Batches, as a loader has them."""

    dataset = property(lambda self: self)
    batch_size = 2


class Maker:
    def __init__(self, target, state):
        self.device = target.get("device") or "cpu"
        self.floats = DTYPES.get(target.get("dtype"), torch.float32)
        self.state = state
        self.shown = {}  # by path: for people
        self.made = None  # the object that the method is called on
        torch.manual_seed(0)

    # ---- calling --------------------------------------------------------------------------------

    def call(self, function, owner):
        if owner is None:
            return function(**self.arguments(function, False, False))
        name = getattr(function, "__name__", "") or function.fget.__name__
        if name == "__init__":
            return self.instance(owner, "", 0)
        self.made = made = self.settled(self.instance(owner, "", 0))
        if isinstance(function, property):
            return getattr(made, name)
        return getattr(made, name)(**self.arguments(function, True, False))

    def settled(self, made):
        """A module is where the arguments are, and of their dtype."""
        if isinstance(made, torch.nn.Module):
            if self.device != "cpu":
                made.to(self.device)
            if self.floats is not torch.float32:
                made.to(self.floats)
        return made

    def instance(self, owner, path, depth):
        if inspect.isabstract(owner) or depth > MOST_DEPTH:
            raise TypeError("%s cannot be constructed" % owner.__name__)
        if owner.__init__ is object.__init__:
            return owner()
        return owner(**self.arguments(owner.__init__, True, True, path + owner.__name__ + ".", depth))

    def arguments(self, function, skips_self, is_constructor, prefix="", depth=0):
        out = {}
        for p in guess.parameters(function, skips_self):
            value = self.make(prefix + p.name, lambda: guess.first(function, p, is_constructor), depth)
            if value is not DEFAULT:
                out[p.name] = value
        return out

    # ---- values ---------------------------------------------------------------------------------

    def make(self, path, first, depth=0):
        spec = self.state.get(path)
        if spec is None:
            spec = self.state[path] = first()
        return self.value(path, spec, depth)

    def value(self, path, spec, depth):
        kind = spec[0]
        if kind == "default":
            return DEFAULT
        value = getattr(self, "make_" + kind)(path, spec, depth)
        if path not in self.shown:
            self.shown[path] = shown(value, spec)
        return value

    def make_none(self, path, spec, depth):
        return None

    def make_plain(self, path, spec, depth):
        return spec[1]

    make_int = make_float = make_bool = make_text = make_plain

    def make_tensor(self, path, spec, depth):
        dtype = self.floats if spec[1] == "float" else getattr(torch, spec[1])
        shape = tuple(spec[2])
        if dtype.is_floating_point:
            t = torch.randn(shape).to(dtype)
        else:
            count = 1
            for n in shape:
                count *= n
            t = (torch.arange(count) % 2).reshape(shape).to(dtype)
        return t if self.device == "cpu" else t.to(self.device)

    def make_list(self, path, spec, depth):
        return [self.make("%s[%d]" % (path, i), lambda: spec[2], depth + 1) for i in range(spec[1])]

    def make_tuple(self, path, spec, depth):
        return tuple(self.make_list(path, spec, depth))

    def make_dict(self, path, spec, depth):
        return Config(self, path, depth)

    make_config = make_dict

    def make_module(self, path, spec, depth):
        return self.settled(torch.nn.Linear(8, 8))

    def make_optimizer(self, path, spec, depth):
        held = list(self.made.parameters()) if isinstance(self.made, torch.nn.Module) else []
        return torch.optim.SGD(held or [torch.nn.Parameter(torch.zeros(2, 2))], lr=0.1)

    def make_device(self, path, spec, depth):
        return torch.device(self.device)

    def make_dtype(self, path, spec, depth):
        return self.floats

    def make_function(self, path, spec, depth):
        return lambda *args, **kwargs: args[0] if args else None

    def make_data(self, path, spec, depth):
        batch = self.make(path + "[0]", lambda: ["tuple", 2, guess.FLOAT], depth + 1)
        return Data(itertools.repeat(batch, 2))

    def make_class(self, path, spec, depth):
        owner = importlib.import_module(spec[1])
        for part in spec[2].split("."):
            owner = getattr(owner, part)
        if hasattr(owner, "__members__"):
            return next(iter(owner.__members__.values()))
        return self.settled(self.instance(owner, path + ".", depth + 1))

    # ---- words ----------------------------------------------------------------------------------

    def text(self, name):
        """ "Net(dim=8).forward(x=float32 [2, 8] on cuda)" """
        owner, _, last = name.rpartition(".")
        inside = [(p, s) for p, s in self.shown.items() if owner and p.startswith(owner.split(".")[-1] + ".")]
        own = [(p, s) for p, s in self.shown.items() if "." not in p and "[" not in p]
        made = listed((p.partition(".")[2], s) for p, s in inside if p.count(".") == 1 and "[" not in p)
        if self.made is not None or last == "__init__":
            first = "%s(%s)" % (owner, made)
            return first if last == "__init__" else "%s.%s(%s)" % (first, last, listed(own))
        return "%s(%s)" % (name, listed(own))


DEFAULT = object()


def listed(pairs):
    enough = 6
    words = ["%s=%s" % pair for pair in pairs]
    return ", ".join(words[:enough] + ["..."] * (len(words) > enough))


def shown(value, spec):
    if isinstance(value, torch.Tensor):
        device = " on cuda" if value.device.type != "cpu" else ""
        return "%s %s%s" % (str(value.dtype).replace("torch.", ""), list(value.shape), device)
    if spec[0] in ("config", "dict"):
        return "..."
    if isinstance(value, (int, float, str, bool, type(None), torch.dtype, torch.device)):
        return repr(value) if isinstance(value, str) else str(value)
    return type(value).__name__
