# Containers: as the ones that the language has built in.
import _mc

OrderedDict = dict


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __getitem__(self, key):
        if key not in self:
            self[key] = self.default_factory()
        return super().__getitem__(key)


def deque(iterable=(), maxlen=None):
    return list(iterable)


def Counter(iterable=None, **kwargs):
    return _mc.unknown()


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    return _mc.namedtuple(typename, field_names, defaults)
