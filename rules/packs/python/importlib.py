# Modules by name.
import _mc


def import_module(name, package=None):
    return _mc.import_module(name)


def reload(module):
    return module
