# The interpreter: its arguments come from outside.
import _mc

argv = _mc.data()
path = _mc.unknown()
modules = _mc.unknown()
version = str(_mc.unknown())
version_info = _mc.unknown()
platform = str(_mc.unknown())
executable = str(_mc.unknown())
maxsize = 9223372036854775807


class _Stream:
    def write(self, text):
        return int(_mc.unknown())

    def flush(self):
        pass

    def isatty(self):
        return bool(_mc.unknown())

    def read(self):
        return str(_mc.unknown())

    def readline(self):
        return str(_mc.unknown())

    def __iter__(self):
        while _mc.unknown():
            yield str(_mc.unknown())


stdin = _Stream()
stdout = _Stream()
stderr = _Stream()


def exit(status=None):
    raise SystemExit(status)


def getsizeof(x, default=0):
    return int(_mc.unknown())


def exc_info():
    return _mc.unknown()


def setrecursionlimit(limit):
    pass
