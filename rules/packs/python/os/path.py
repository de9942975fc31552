# Paths: some text.
import _mc


def join(path, *parts):
    for part in parts:
        path = f"{path}/{part}"
    return path


def abspath(path):
    return str(_mc.unknown())


def basename(path):
    return str(_mc.unknown())


def dirname(path):
    return str(_mc.unknown())


def expanduser(path):
    return str(_mc.unknown())


def expandvars(path):
    return str(_mc.unknown())


def normpath(path):
    return str(_mc.unknown())


def realpath(path):
    return str(_mc.unknown())


def relpath(path, start=None):
    return str(_mc.unknown())


def exists(path):
    return bool(_mc.unknown())


def isfile(path):
    return bool(_mc.unknown())


def isdir(path):
    return bool(_mc.unknown())


def islink(path):
    return bool(_mc.unknown())


def isabs(path):
    return bool(_mc.unknown())


def getsize(path):
    return int(_mc.unknown())


def getmtime(path):
    return float(_mc.unknown())


def split(path):
    return (str(_mc.unknown()), str(_mc.unknown()))


def splitext(path):
    return (str(_mc.unknown()), str(_mc.unknown()))
