# Commands whose options are arguments of a function; the decorated function is called without them.
import _mc


def _named(names):
    for name in names:
        if name.startswith("--"):
            return name.split("/")[0]
    return names[0]


def _identifier(names):
    for name in names:
        if not name.startswith("-"):
            return name
    return _named(names).lstrip("-").replace("-", "_")


def option(*names, is_flag=False, default=None, type=None, required=False, multiple=False, nargs=1, help=None,
           show_default=False, **options):
    flag = _named(names)
    dest = _identifier(names)
    if is_flag or isinstance(default, bool) or type is bool:
        value = _mc.option(flag, bool, bool(default), None)
    elif multiple or nargs != 1:
        value = _mc.unknown()
    elif isinstance(type, Choice):
        value = _mc.option(flag, str, default, type.choices)
    elif type is int or isinstance(default, int) and type is None:
        value = _mc.option(flag, int, default, None)
    elif type is float or isinstance(default, float) and type is None:
        value = _mc.option(flag, float, default, None)
    elif type is None or type is str:
        value = _mc.option(flag, str, default, None)
    else:
        value = _mc.unknown()

    def decorate(fn):
        return lambda *args, **kwargs: fn(*args, **{dest: value, **kwargs})

    return decorate


def argument(*names, type=None, default=None, **options):
    return option("--" + names[0], type=type, default=default)


def command(*args, **kwargs):
    return args[0] if len(args) == 1 and callable(args[0]) else lambda fn: fn


# The group's own function runs before one of its commands.
class _Group:
    def __init__(self, fn):
        self._fn = fn
        self._commands = []

    def __call__(self, *args, **kwargs):
        self._fn(*args, **kwargs)
        for fn in self._commands:
            if _mc.unknown():
                fn()
                return

    def command(self, *args, **kwargs):
        return lambda fn: self._add(fn)

    def _add(self, fn):
        self._commands.append(fn)
        return fn

    def group(self, *args, **kwargs):
        return lambda fn: self._add(_Group(fn))

    def add_command(self, cmd, name=None):
        self._add(cmd)


def group(*args, **kwargs):
    return _Group(args[0]) if len(args) == 1 and callable(args[0]) else lambda fn: _Group(fn)


class Choice:
    def __init__(self, choices, case_sensitive=True):
        self.choices = choices


class Path:
    def __init__(self, *args, **kwargs):
        pass


class Context:
    def __init__(self):
        self.obj = None
        self.params = _mc.unknown()
        self.invoked_subcommand = _mc.unknown()

    def ensure_object(self, object_type):
        if self.obj is None:
            self.obj = object_type()
        return self.obj

    def invoke(self, callback, *args, **kwargs):
        return callback(*args, **kwargs)

    def exit(self, code=0):
        raise SystemExit(code)


_context = Context()


def pass_context(fn):
    return lambda *args, **kwargs: fn(_context, *args, **kwargs)


def pass_obj(fn):
    return lambda *args, **kwargs: fn(_context.obj, *args, **kwargs)


def echo(message=None, *args, **kwargs):
    pass


def secho(message=None, *args, **kwargs):
    pass


def prompt(text, *args, **kwargs):
    return _mc.unknown()


def confirm(text, *args, **kwargs):
    return bool(_mc.unknown())


STRING = str
INT = int
FLOAT = float
BOOL = bool
