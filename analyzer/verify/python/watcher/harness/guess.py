"""What a parameter is: by its default, its annotation, its name, and what the function does with it.
The answer is a list that JSON can have, its kind first:

    ["default"]  ["none"]  ["int", 8]  ["float", 0.5]  ["bool", false]  ["text", "mean"]
    ["tensor", "float", [2, 8]]       "float": the dtype that all floats have
    ["list", N, SPEC]  ["tuple", N, SPEC]  ["dict"]
    ["config"]                        an object with whatever attributes are asked for
    ["module"]  ["optimizer"]  ["device"]  ["dtype"]  ["function"]  ["data"]
    ["class", MODULE, NAME]           an instance of it
"""

import ast
import enum
import inspect
import textwrap
import typing

import torch

SHAPE = [2, 8]
FLOAT = ["tensor", "float", SHAPE]
INDEX = ["tensor", "int64", SHAPE]
MASK = ["tensor", "bool", SHAPE]

# Words in names, and what they mean. The first that is in a name counts.
NUMBERS = (
    (("dropout", "drop_", "_drop", "prob", "p_"), ["float", 0.0]),
    (("eps", "epsilon"), ["float", 1e-5]),
    (("lr", "learning_rate", "weight_decay", "momentum", "beta", "alpha", "gamma", "scale", "temperature",
      "theta", "sigma", "ratio", "std", "mean"), ["float", 0.5]),
    (("vocab", "n_classes", "num_classes", "num_embeddings"), ["int", 16]),
    (("head", "group", "expert", "layer", "depth", "blocks", "epoch", "step", "iter", "batch", "repeat", "rank",
      "factor", "mult"), ["int", 2]),
    (("kernel", "ksize"), ["int", 3]),
    (("stride", "dilation", "padding", "axis"), ["int", 1]),
    (("max_len", "max_seq", "block_size", "context", "max_position"), ["int", 32]),
    (("use_", "is_", "has_", "with_", "no_", "enable", "disable", "return_", "causal", "flash", "verbose",
      "debug", "training", "compile", "distributed"), ["bool", False]),
    (("bias",), ["bool", True]),
    (("dtype",), ["dtype"]),
    (("device",), ["device"]),
    (("name", "mode", "path", "file", "dir", "type", "activation"), ["text", "none"]),
)
OBJECTS = (
    (("config", "cfg", "conf", "args", "opt", "opts", "hparams", "params", "options", "hps"), ["config"]),
    (("model", "net", "network", "module", "encoder", "decoder", "backbone", "head", "layer", "criterion", "loss_fn",
      "act", "act_layer", "norm_layer", "fn", "func"), ["module"]),
    (("optimizer", "optim"), ["optimizer"]),
    (("loader", "dataloader", "train_loader", "data_loader", "val_loader", "test_loader"), ["data"]),
    (("device", "dev"), ["device"]),
    (("dtype",), ["dtype"]),
)
INDICES = ("idx", "ids", "id", "index", "indices", "tokens", "token", "labels", "label", "target", "targets", "input_ids",
           "src", "tgt", "t", "timesteps", "timestep", "positions", "position_ids", "cls")
ANNOTATED = {int: ["int", 8], float: ["float", 0.5], bool: ["bool", False], str: ["text", "none"],
             torch.Tensor: FLOAT, torch.device: ["device"], torch.dtype: ["dtype"], dict: ["dict"],
             list: ["list", 2, FLOAT], tuple: ["tuple", 2, FLOAT], type(None): ["none"]}


def parameters(function, skips_self):
    """(name, default or inspect.Parameter.empty, annotation) of those that are passed by us."""
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    found = found[1:] if skips_self else found
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def annotations(function):
    try:
        return typing.get_type_hints(function)
    except Exception:  # a name that is only there for type checkers
        return getattr(function, "__annotations__", {})


def first(function, parameter, is_constructor):
    """What a parameter is tried as first."""
    if parameter.default is not parameter.empty:
        return ["default"]
    hint = annotations(function).get(parameter.name)
    spec = annotated(hint, parameter.name)
    if spec is not None:
        return spec
    return named(parameter.name, uses_of(function, parameter.name), is_constructor)


def annotated(hint, name):
    """By an annotation; None: it says nothing."""
    if isinstance(hint, str):
        hint = torch.Tensor if hint.split(".")[-1] == "Tensor" else None
    if hint is None or hint is inspect.Parameter.empty or hint is typing.Any:
        return None
    origin, inside = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Union or str(origin) == "<class 'types.UnionType'>":
        known = [annotated(h, name) for h in inside if h is not type(None)]
        return next((k for k in known if k is not None), None)
    if origin in (list, tuple) or str(origin) in ("<class 'collections.abc.Sequence'>", "<class 'collections.abc.Iterable'>"):
        count = len(inside) if origin is tuple and inside and Ellipsis not in inside else 2
        of = annotated(inside[0], name) if inside else FLOAT
        return ["tuple" if origin is tuple else "list", count, of or FLOAT]
    if origin is dict:
        return ["dict"]
    if "Callable" in str(hint):
        return ["function"]
    if not inspect.isclass(hint):
        return None
    if issubclass(hint, torch.Tensor):
        return by_name(name) or FLOAT
    if hint is int or hint is float:
        kinds = {"int", "float"} & {hint.__name__}
        spec = number(name)
        return spec if spec and spec[0] in kinds else ANNOTATED[hint]
    if hint in ANNOTATED:
        return ANNOTATED[hint]
    if hint is torch.nn.Module:
        return ["module"]
    if issubclass(hint, torch.optim.Optimizer):
        return ["optimizer"]
    if issubclass(hint, torch.utils.data.DataLoader):
        return ["data"]
    if issubclass(hint, enum.Enum) or hint.__module__ != "builtins":
        return ["class", hint.__module__, hint.__qualname__]
    return None


def number(name):
    for words, spec in NUMBERS:
        if any(word in name for word in words):
            return spec
    return None


def by_name(name):
    """A tensor by the name of its parameter; None: the name says nothing."""
    parts = name.lower().split("_")
    if "mask" in parts or name.lower().endswith("mask"):
        return MASK
    return INDEX if name.lower() in INDICES or parts[-1] in INDICES else None


def named(name, uses, is_constructor):
    """By name and uses."""
    lower = name.lower()
    for words, spec in OBJECTS:
        if lower in words or lower.split("_")[-1] in words:
            if not (spec == ["module"] and "called" not in uses and is_constructor and "head" in lower):
                return spec
    if uses and not uses <= TENSOR_USES:
        return ["config"]
    if "called" in uses:
        return ["module"]
    if is_constructor or "counted" in uses:
        return number(lower) or ["int", 8]
    return by_name(name) or FLOAT


TENSOR_USES = frozenset(dir(torch.Tensor)) | {"called", "counted"}
COUNTS = ("range", "arange", "zeros", "ones", "empty", "randn", "rand", "eye", "linspace", "full")


def uses_of(function, name):
    """Attributes that the function reads of a parameter; "called", "counted": what it is."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_name(node.value, name):
            found.add(node.attr)
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if is_name(node.func, name):
                found.add("called")
            elif called in COUNTS and any(is_name(a, name) for a in node.args):
                found.add("counted")
    return found


def is_name(node, name):
    return isinstance(node, ast.Name) and node.id == name
