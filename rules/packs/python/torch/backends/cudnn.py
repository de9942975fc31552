import _mc

enabled = True
benchmark = False
deterministic = False
allow_tf32 = True


def is_available():
    return bool(_mc.unknown())


def version():
    return int(_mc.unknown())
