# Command lines: each option is a value from outside that has the name users know.
import _mc

SUPPRESS = "==SUPPRESS=="
OPTIONAL = "?"
ZERO_OR_MORE = "*"
ONE_OR_MORE = "+"
REMAINDER = "..."


class ArgumentError(Exception):
    pass


class ArgumentTypeError(Exception):
    pass


class HelpFormatter:
    pass


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(HelpFormatter):
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class Action:
    pass


class BooleanOptionalAction(Action):
    pass


class FileType:
    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, text):
        return _mc.unknown()


class Namespace:
    _mc_has_nothing_else = True

    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def __contains__(self, key):
        return hasattr(self, key)


# The first long name, as users write it.
def _flag(names):
    for name in names:
        if name.startswith("--"):
            return name
    return names[0]


# Several on a command line, if it is on it at all.
def _several(flag, default, type, nargs):
    if flag.startswith("-") or nargs == "*":
        if _mc.option(flag, str, None, None) is None:
            return default
    one = _mc.unknown()
    if type is None or type is str:
        one = str(one)
    elif type is int or type is float:
        one = type(one)
    return [one] * int(_mc.unknown())


# What the option can be on a command line.
def _value(flag, action, default, type, choices, nargs, const):
    if action == "store_true":
        return _mc.option(flag, bool, bool(default), None)
    if action == "store_false":
        return _mc.option(flag, bool, True if default is None else default, None)
    if not isinstance(action, str):
        return _mc.option(flag, bool, default, None) if action is BooleanOptionalAction else _mc.unknown()
    if action == "store_const":
        return const if _mc.option(flag, bool, False, None) else default
    if action == "count":
        return _mc.option(flag, int, default, None)
    if action == "store" and (nargs == "+" or nargs == "*" or isinstance(nargs, int)):
        return _several(flag, default, type, nargs)
    if action != "store" or nargs is not None and nargs != "?":
        return _mc.unknown()
    if nargs == "?" and const is not None:
        return _mc.unknown()
    if type is None or type is str or type is int or type is float or type is bool:
        return _mc.option(flag, str if type is None else type, default, choices)
    text = _mc.option(flag, str, None, choices)
    if text is None:
        return type(default) if isinstance(default, str) else default
    return type(text)


class ArgumentParser:
    def __init__(self, *args, **kwargs):
        self._options = Namespace()
        self._defaults = Namespace()

    def add_argument(self, *names, action="store", default=None, type=None, choices=None, dest=None, nargs=None,
                     const=None, required=False, help=None, metavar=None, version=None, **options):
        flag = _flag(names)
        if dest is None:
            dest = flag.lstrip("-").replace("-", "_")
        if default is None and action == "store_true":
            default = False
        if default is None and action == "store_false":
            default = True
        setattr(self._options, dest, _value(flag, action, default, type, choices, nargs, const))
        setattr(self._defaults, dest, default)
        return Action()

    def add_argument_group(self, *args, **kwargs):
        return self

    def add_mutually_exclusive_group(self, *args, **kwargs):
        return self

    def add_subparsers(self, dest=None, **kwargs):
        if dest is not None:
            setattr(self._options, dest, _mc.option(dest, str, None, None))
        return _Subparsers(self)

    def set_defaults(self, **kwargs):
        for name, value in kwargs.items():
            setattr(self._defaults, name, value)
            if not hasattr(self._options, name):
                setattr(self._options, name, value)

    def get_default(self, dest):
        return getattr(self._defaults, dest, None)

    # An empty list of arguments leaves all defaults.
    def parse_args(self, args=None, namespace=None):
        if args is not None and len(args) == 0:
            return self._defaults
        return self._options

    def parse_known_args(self, args=None, namespace=None):
        return self.parse_args(args), []

    def print_help(self, file=None):
        pass

    def print_usage(self, file=None):
        pass

    def format_help(self):
        return str(_mc.unknown())

    def error(self, message):
        raise SystemExit(2)

    def exit(self, status=0, message=None):
        raise SystemExit(status)


# Arguments of subcommands, all in one namespace.
class _Subparsers:
    def __init__(self, parser):
        self._parser = parser

    def add_parser(self, name, **kwargs):
        return self._parser
