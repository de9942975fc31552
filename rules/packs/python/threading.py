# Threads: what they do is done when they are started.
import _mc


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None):
        self._target = target
        self._args = args
        self._kwargs = {} if kwargs is None else kwargs
        self.name = name
        self.daemon = daemon

    def run(self):
        if self._target is not None:
            self._target(*self._args, **self._kwargs)

    def start(self):
        self.run()

    def join(self, timeout=None):
        pass

    def is_alive(self):
        return bool(_mc.unknown())

    def setDaemon(self, daemonic):
        self.daemon = daemonic

    def isDaemon(self):
        return self.daemon

    def setName(self, name):
        self.name = name

    def getName(self):
        return self.name

    @property
    def ident(self):
        return int(_mc.unknown())

    @property
    def native_id(self):
        return int(_mc.unknown())


class Timer(Thread):
    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__(target=function, args=() if args is None else args, kwargs=kwargs)

    # What follows may come before it, or after.
    def start(self):
        if _mc.unknown():
            self.run()

    def cancel(self):
        pass


class Lock:
    def __enter__(self):
        return True

    def __exit__(self, *exception):
        pass

    def acquire(self, blocking=True, timeout=-1):
        return True

    def release(self):
        pass

    def locked(self):
        return bool(_mc.unknown())


class RLock(Lock):
    pass


class Condition(Lock):
    def wait(self, timeout=None):
        return True

    def notify(self, n=1):
        pass

    def notify_all(self):
        pass


class Semaphore(Lock):
    def __init__(self, value=1):
        pass


class BoundedSemaphore(Semaphore):
    pass


class Event:
    def set(self):
        pass

    def clear(self):
        pass

    def is_set(self):
        return bool(_mc.unknown())

    def wait(self, timeout=None):
        return True


class local:
    _mc_has_nothing_else = True


def current_thread():
    return Thread()


def get_ident():
    return int(_mc.unknown())
