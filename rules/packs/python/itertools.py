# Iterators, as lists.
import _mc


def chain(*iterables):
    items = []
    for iterable in iterables:
        items.extend(iterable)
    return iter(items)


def cycle(iterable):
    items = list(iterable)
    while True:
        for x in items:
            yield x


def repeat(x, *times):
    while _mc.unknown():
        yield x


def count(start=0, step=1):
    while True:
        yield int(_mc.unknown())


def islice(iterable, *args):
    for x in iterable:
        if _mc.unknown():
            yield x


def product(*iterables, repeat=1):
    return _mc.unknown()


def permutations(iterable, r=None):
    return _mc.unknown()


def combinations(iterable, r):
    return _mc.unknown()


def accumulate(iterable, *args, **kwargs):
    return _mc.unknown()


def groupby(iterable, key=None):
    return _mc.unknown()


def zip_longest(*iterables, fillvalue=None):
    return _mc.unknown()
