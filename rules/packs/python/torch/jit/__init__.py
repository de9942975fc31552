# Compiled code computes what the source says.
import _mc


def script(obj=None, *args, **kwargs):
    return (lambda fn: fn) if obj is None else obj


def trace(func, example_inputs=None, *args, **kwargs):
    return func


def script_method(fn):
    return fn


def export(fn):
    return fn


def ignore(fn=None, **kwargs):
    return fn if callable(fn) else lambda f: f


def unused(fn):
    return fn


def interface(obj):
    return obj


def freeze(mod, *args, **kwargs):
    return mod


def optimize_for_inference(mod, *args, **kwargs):
    return mod


def is_scripting():
    return False


def is_tracing():
    return False


def annotate(the_type, the_value):
    return the_value


def load(f, map_location=None, **kwargs):
    return _mc.unknown()


def save(m, f, **kwargs):
    pass


Final = None
