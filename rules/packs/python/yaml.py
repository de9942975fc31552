# What is read from a file may be anything, but is the same each time that it is asked for.
import _mc


class Loader:
    pass


class SafeLoader(Loader):
    pass


class FullLoader(Loader):
    pass


class YAMLError(Exception):
    pass


def load(stream, Loader=None):
    return _mc.data()


def safe_load(stream):
    return _mc.data()


def full_load(stream):
    return _mc.data()


def dump(data, stream=None, **options):
    return str(_mc.unknown())


def safe_dump(data, stream=None, **options):
    return str(_mc.unknown())
