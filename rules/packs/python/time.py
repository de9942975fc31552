# Clocks.
import _mc


def time():
    return float(_mc.unknown())


def perf_counter():
    return float(_mc.unknown())


def monotonic():
    return float(_mc.unknown())


def process_time():
    return float(_mc.unknown())


def time_ns():
    return int(_mc.unknown())


def perf_counter_ns():
    return int(_mc.unknown())


def monotonic_ns():
    return int(_mc.unknown())


def sleep(secs):
    pass


def strftime(format, t=None):
    return str(_mc.unknown())


def localtime(secs=None):
    return _mc.unknown()


def gmtime(secs=None):
    return _mc.unknown()


def ctime(secs=None):
    return str(_mc.unknown())


def asctime(secs=None):
    return str(_mc.unknown())
