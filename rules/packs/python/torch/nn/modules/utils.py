# Sizes that may be given as one number.
def _times(x, n):
    return tuple(x) if isinstance(x, (list, tuple)) else (x,) * n


def _single(x):
    return _times(x, 1)


def _pair(x):
    return _times(x, 2)


def _triple(x):
    return _times(x, 3)


def _quadruple(x):
    return _times(x, 4)


def _ntuple(n, name="parse"):
    return lambda x: _times(x, n)
