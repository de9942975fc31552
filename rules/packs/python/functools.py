# Functions of functions.
import _mc


class partial:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


def wraps(wrapped, *args, **kwargs):
    return lambda fn: fn


def update_wrapper(wrapper, wrapped, *args, **kwargs):
    return wrapper


def cache(user_function):
    return user_function


def lru_cache(maxsize=128, typed=False):
    return maxsize if callable(maxsize) else lambda fn: fn


cached_property = property


# By the class of the first argument: that of its annotation, or which is passed when it is registered.
class singledispatch:
    def __init__(self, function):
        self._function = function
        self._known = []
        self._is_open = False

    def register(self, cls, function=None):
        if function is not None:
            self._known.append((cls, function))
            return function
        if _mc.is_annotated(cls):
            return self.register(_mc.annotation(cls), cls)
        if not _mc.is_function(cls):
            return lambda fn: self.register(cls, fn)
        self._is_open = True
        return cls

    def __call__(self, first, *args, **kwargs):
        if self._is_open:
            return _mc.unknown()
        for cls, function in self._known:
            if isinstance(first, cls):
                return function(first, *args, **kwargs)
        return self._function(first, *args, **kwargs)


def total_ordering(cls):
    return cls


def cmp_to_key(fn):
    return fn


def reduce(function, iterable, *initial):
    items = iter(iterable)
    value = initial[0] if len(initial) > 0 else next(items)
    for x in items:
        value = function(value, x)
    return value
