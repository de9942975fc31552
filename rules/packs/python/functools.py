# Functions of functions.
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
