# What is read from a file may be anything, but is the same each time that it is asked for.
import _mc


def load(s, **options):
    return _mc.data()


def loads(s, **options):
    return _mc.data()


def dump(obj, fp, **options):
    pass


def dumps(obj, **options):
    return str(_mc.unknown())
