# Dataclasses: their constructor follows from their annotations.
import _mc

MISSING = None


class Field:
    def __init__(self, default, default_factory):
        self.default = default
        self.default_factory = default_factory


class _Named(Field):
    def __init__(self, name):
        self.name = name
        self.type = _mc.unknown()
        self.default = _mc.unknown()
        self.default_factory = _mc.unknown()
        self.metadata = _mc.unknown()
        self.init = bool(_mc.unknown())


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None,
          kw_only=False):
    return _mc.field(default, default_factory)


def dataclass(cls=None, **options):
    return _mc.dataclass if cls is None else _mc.dataclass(cls)


def asdict(obj, *, dict_factory=dict):
    return dict(vars(obj))


def astuple(obj, *, tuple_factory=tuple):
    return tuple(vars(obj).values())


def replace(obj, **changes):
    return type(obj)(**{**vars(obj), **changes})


def fields(class_or_instance):
    return tuple([_Named(name) for name in _mc.field_names(class_or_instance)])


def is_dataclass(obj):
    return bool(_mc.unknown())
