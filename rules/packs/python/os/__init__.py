# The operating system: variables of the environment are values from outside.
import _mc

sep = "/"
linesep = "\n"
name = "posix"


class _Environ:
    def get(self, key, default=None):
        return _mc.option(key, str, default, None)

    def __getitem__(self, key):
        return _mc.option(key, str, "", None)

    def __setitem__(self, key, value):
        pass

    def __delitem__(self, key):
        pass

    def __contains__(self, key):
        return _mc.option(key, str, None, None) is not None

    def setdefault(self, key, default=None):
        return _mc.option(key, str, default, None)

    def pop(self, key, default=None):
        return _mc.option(key, str, default, None)

    def copy(self):
        return self

    def update(self, *args, **kwargs):
        pass

    def keys(self):
        return _mc.unknown()

    def items(self):
        return _mc.unknown()


environ = _Environ()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    pass


def getcwd():
    return str(_mc.unknown())


def getpid():
    return int(_mc.unknown())


def cpu_count():
    return int(_mc.unknown())


def listdir(path="."):
    return _mc.unknown()


def walk(top, *args, **kwargs):
    return _mc.unknown()


def scandir(path="."):
    return _mc.unknown()


def makedirs(name, mode=511, exist_ok=False):
    pass


def mkdir(path, mode=511):
    pass


def remove(path):
    pass


def unlink(path):
    pass


def rename(src, dst):
    pass


def replace(src, dst):
    pass


def chdir(path):
    pass


def system(command):
    return int(_mc.unknown())


def urandom(n):
    return _mc.unknown()


def _exit(status):
    raise SystemExit(status)
