# What is read from a file may be anything.
import _mc


def load(s, **options):
    return _mc.unknown()


def loads(s, **options):
    return _mc.unknown()


def dump(obj, fp, **options):
    pass


def dumps(obj, **options):
    return str(_mc.unknown())
