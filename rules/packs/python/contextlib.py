# Regions: "with" enters and leaves them.
import _mc


class nullcontext:
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *exception):
        pass


# What comes before yield is run on entry, and what comes behind it at the end. Where that is not known, and behind an
# exception that it handles, it undoes what was done: autocast, gradients and the default dtype are as before.
class _GeneratorContextManager:
    def __init__(self, fn, args, kwargs):
        self._fn = fn
        self._args = args
        self._kwargs = kwargs

    def __enter__(self):
        self._before = _mc.regions_keep()
        return _mc.run_to_yield(self, self._fn, *self._args, **self._kwargs)

    def __exit__(self, kind=None, value=None, trace=None):
        if kind is not None:
            if _mc.handles_at_yield(self):
                _mc.regions_restore(self._before)
        elif not _mc.run_from_yield(self):
            _mc.regions_restore(self._before)

    def __call__(self, fn):
        def inside(*args, **kwargs):
            with self:
                return fn(*args, **kwargs)

        return inside


def contextmanager(fn):
    return lambda *args, **kwargs: _GeneratorContextManager(fn, args, kwargs)


class ContextDecorator:
    def __call__(self, fn):
        def inside(*args, **kwargs):
            with self:
                return fn(*args, **kwargs)

        return inside


class AbstractContextManager:
    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass


class closing:
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exception):
        pass


class suppress:
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __enter__(self):
        return self

    def __exit__(self, kind=None, value=None, trace=None):
        return kind is not None


class redirect_stdout(nullcontext):
    pass


class redirect_stderr(nullcontext):
    pass


class ExitStack:
    def __init__(self):
        self._managers = []

    def enter_context(self, manager):
        result = manager.__enter__()
        self._managers.append(manager)
        return result

    def push(self, manager):
        self._managers.append(manager)
        return manager

    def callback(self, callback, *args, **kwargs):
        return callback

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        for manager in reversed(self._managers):
            manager.__exit__(None, None, None)
