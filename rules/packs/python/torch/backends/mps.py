import _mc


def is_available():
    return bool(_mc.unknown())


def is_built():
    return bool(_mc.unknown())
