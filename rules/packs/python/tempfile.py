# Files and folders that only the program knows: their names do not matter, but are different.
import _mc

_made = 0


def _name(prefix, suffix):
    global _made
    _made += 1
    return f"/tmp/{prefix}{_made}{suffix}"


def gettempdir():
    return "/tmp"


def mkdtemp(suffix="", prefix="tmp", dir=None):
    return _name(prefix, suffix)


def mkstemp(suffix="", prefix="tmp", dir=None, text=False):
    return int(_mc.unknown()), _name(prefix, suffix)


class TemporaryDirectory:
    def __init__(self, suffix="", prefix="tmp", dir=None, ignore_cleanup_errors=False):
        self.name = _name(prefix, suffix)

    def __enter__(self):
        return self.name

    def __exit__(self, *exception):
        pass

    def cleanup(self):
        pass


class NamedTemporaryFile:
    def __init__(self, mode="w+b", buffering=-1, encoding=None, newline=None, suffix="", prefix="tmp", dir=None,
                 delete=True):
        self.name = _name(prefix, suffix)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass

    def write(self, data):
        return int(_mc.unknown())

    def read(self, size=-1):
        return _mc.unknown()

    def seek(self, offset, whence=0):
        return int(_mc.unknown())

    def flush(self):
        pass

    def close(self):
        pass
