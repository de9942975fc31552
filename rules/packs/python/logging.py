# Logging changes nothing.
import _mc

NOTSET = 0
DEBUG = 10
INFO = 20
WARNING = 30
ERROR = 40
CRITICAL = 50


class Logger:
    def __init__(self, name=None, level=0):
        self.level = level
        self.handlers = []

    def critical(self, msg, *args, **kwargs):
        pass

    def debug(self, msg, *args, **kwargs):
        pass

    def error(self, msg, *args, **kwargs):
        pass

    def exception(self, msg, *args, **kwargs):
        pass

    def fatal(self, msg, *args, **kwargs):
        pass

    def info(self, msg, *args, **kwargs):
        pass

    def log(self, msg, *args, **kwargs):
        pass

    def warn(self, msg, *args, **kwargs):
        pass

    def warning(self, msg, *args, **kwargs):
        pass

    def setLevel(self, level):
        pass

    def addHandler(self, handler):
        pass

    def removeHandler(self, handler):
        pass

    def isEnabledFor(self, level):
        return bool(_mc.unknown())


class Formatter:
    def __init__(self, *args, **kwargs):
        pass


class Handler:
    def __init__(self, *args, **kwargs):
        pass

    def setLevel(self, level):
        pass

    def setFormatter(self, fmt):
        pass


class StreamHandler(Handler):
    pass


class FileHandler(Handler):
    pass


def getLogger(name=None):
    return Logger(name)


def basicConfig(**kwargs):
    pass


def disable(level=50):
    pass


def critical(msg, *args, **kwargs):
    pass


def debug(msg, *args, **kwargs):
    pass


def error(msg, *args, **kwargs):
    pass


def exception(msg, *args, **kwargs):
    pass


def fatal(msg, *args, **kwargs):
    pass


def info(msg, *args, **kwargs):
    pass


def log(msg, *args, **kwargs):
    pass


def warn(msg, *args, **kwargs):
    pass


def warning(msg, *args, **kwargs):
    pass
