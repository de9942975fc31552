# What classes that derive from dict and list have of them.
_plain = dict


class dict:
    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        object.__setattr__(self, "_mc_items", {})
        return self

    def __init__(self, *args, **kwargs):
        dict.update(self, *args, **kwargs)

    def __getitem__(self, key):
        return self._mc_items[key]

    def __setitem__(self, key, value):
        self._mc_items[key] = value

    def __delitem__(self, key):
        del self._mc_items[key]

    def __contains__(self, key):
        return key in self._mc_items

    def __iter__(self):
        return iter(self._mc_items)

    def __len__(self):
        return len(self._mc_items)

    def get(self, key, default=None):
        return self._mc_items.get(key, default)

    def pop(self, key, *default):
        return self._mc_items.pop(key, *default)

    def popitem(self):
        return self._mc_items.popitem()

    def setdefault(self, key, default=None):
        return self._mc_items.setdefault(key, default)

    def update(self, *args, **kwargs):
        for other in args:
            if isinstance(other, dict):
                self._mc_items.update(other._mc_items)
            else:
                self._mc_items.update(_plain(other))
        self._mc_items.update(**kwargs)

    def keys(self):
        return self._mc_items.keys()

    def values(self):
        return self._mc_items.values()

    def items(self):
        return self._mc_items.items()

    def copy(self):
        return self._mc_items.copy()

    def clear(self):
        self._mc_items.clear()


class list:
    def __new__(cls, *args, **kwargs):
        self = object.__new__(cls)
        object.__setattr__(self, "_mc_items", [])
        return self

    def __init__(self, *iterable):
        for items in iterable:
            self._mc_items.extend(items)

    def __getitem__(self, index):
        return self._mc_items[index]

    def __setitem__(self, index, value):
        self._mc_items[index] = value

    def __contains__(self, item):
        return item in self._mc_items

    def __iter__(self):
        return iter(self._mc_items)

    def __len__(self):
        return len(self._mc_items)

    def __add__(self, other):
        return self._mc_items + other

    def append(self, item):
        self._mc_items.append(item)

    def extend(self, items):
        self._mc_items.extend(items)

    def insert(self, index, item):
        self._mc_items.insert(index, item)

    def pop(self, *index):
        return self._mc_items.pop(*index)

    def remove(self, item):
        self._mc_items.remove(item)

    def index(self, item):
        return self._mc_items.index(item)

    def sort(self, **options):
        self._mc_items.sort()

    def reverse(self):
        self._mc_items.reverse()

    def copy(self):
        return self._mc_items.copy()

    def clear(self):
        self._mc_items.clear()
