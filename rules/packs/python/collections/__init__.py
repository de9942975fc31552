# Containers: as the ones that the language has built in.
import _mc

OrderedDict = dict


class defaultdict:
    def __init__(self, default_factory=None, *args, **kwargs):
        self._items = dict(*args, **kwargs)
        self.default_factory = default_factory

    def __getitem__(self, key):
        if key not in self._items:
            self._items[key] = self.default_factory()
        return self._items[key]

    def __setitem__(self, key, value):
        self._items[key] = value

    def __contains__(self, key):
        return key in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def get(self, key, default=None):
        return self._items.get(key, default)

    def pop(self, key, *default):
        return self._items.pop(key, *default)

    def setdefault(self, key, default=None):
        return self._items.setdefault(key, default)

    def update(self, *args, **kwargs):
        self._items.update(*args, **kwargs)

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def copy(self):
        return defaultdict(self.default_factory, self._items)

    def clear(self):
        self._items = {}


def deque(iterable=(), maxlen=None):
    return list(iterable)


# How often each of its elements occurs.
class Counter:
    def __init__(self, iterable=None, **kwargs):
        pass

    def __getitem__(self, key):
        return int(_mc.unknown())

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        while _mc.unknown():
            yield _mc.unknown()

    def __contains__(self, key):
        return bool(_mc.unknown())

    def __len__(self):
        return int(_mc.unknown())

    def get(self, key, default=None):
        return int(_mc.unknown()) if default is not None else _mc.unknown()

    def pop(self, key, default=None):
        return int(_mc.unknown())

    def keys(self):
        return iter(self)

    def values(self):
        while _mc.unknown():
            yield int(_mc.unknown())

    def items(self):
        while _mc.unknown():
            yield _mc.unknown(), int(_mc.unknown())

    def most_common(self, n=None):
        return list(self.items())

    def total(self):
        return int(_mc.unknown())

    def elements(self):
        return iter(self)

    def update(self, iterable=None, **kwargs):
        pass

    def subtract(self, iterable=None, **kwargs):
        pass


class UserDict(dict):
    @property
    def data(self):
        return self._mc_items


class UserList(list):
    @property
    def data(self):
        return self._mc_items


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) if len(maps) else [{}]

    def __getitem__(self, key):
        for one in self.maps:
            if key in one:
                return one[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __contains__(self, key):
        for one in self.maps:
            if key in one:
                return True
        return False

    def get(self, key, default=None):
        return self[key] if key in self else default

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)

    def __iter__(self):
        while _mc.unknown():
            yield _mc.unknown()

    def __len__(self):
        return int(_mc.unknown())


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    return _mc.namedtuple(typename, field_names, defaults)
