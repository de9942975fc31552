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


def _chain_all(iterables):
    items = []
    for iterable in iterables:
        items.extend(iterable)
    return iter(items)


chain.from_iterable = _chain_all


def product(*iterables, repeat=1):
    rows = [()]
    for iterable in iterables:
        rows = [row + (x,) for row in rows for x in iterable]
    return iter(rows) if repeat == 1 else _mc.unknown()


def permutations(iterable, r=None):
    return _mc.unknown()


def combinations(iterable, r):
    items = sorted(iterable)  # any of them
    while _mc.unknown():
        yield tuple([items[int(_mc.unknown())] for _ in range(r)])


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    for x in iterable:
        if total is None:
            total = x
        elif func is None:
            total = total + x
        else:
            total = func(total, x)
        yield total


def pairwise(iterable):
    items = list(iterable)
    return zip(items, items[1:])


def starmap(function, iterable):
    for x in iterable:
        yield function(*x)


def takewhile(predicate, iterable):
    for x in iterable:
        if _mc.unknown():
            yield x


dropwhile = filterfalse = takewhile


def tee(iterable, n=2):
    items = list(iterable)
    return tuple([iter(items) for _ in range(n)])


def groupby(iterable, key=None):
    items = list(iterable)
    while _mc.unknown():
        yield _mc.unknown(), sorted(items)


def zip_longest(*iterables, fillvalue=None):
    return zip(*iterables)
