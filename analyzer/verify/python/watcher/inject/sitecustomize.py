"""For `miscast run` and `miscast verify --run`, which put this folder first on PYTHONPATH: every interpreter that the command
starts imports this before the program, and prepares for the program's import of torch. Then the
sitecustomize that this one hides has its turn.
"""

import importlib.util
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def is_here(folder):
    return os.path.abspath(folder or ".") == HERE


def load_watcher(module):
    folder = os.path.dirname(HERE)
    name = "miscast_watcher"
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    package = importlib.util.module_from_spec(spec)
    sys.modules[name] = package
    spec.loader.exec_module(package)
    importlib.import_module(name + module).begin()


def load_hidden():
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("sitecustomize", [p for p in sys.path if not is_here(p)])
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        sys.modules["sitecustomize"] = module
        spec.loader.exec_module(module)


sys.path[:] = [p for p in sys.path if not is_here(p)]
_module = ".sanitize" if os.environ.get("MISCAST_RUN") else ".attach" if os.environ.get("MISCAST_VERIFY") else None
if _module:
    _writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        load_watcher(_module)
    except Exception as _error:  # the program runs all the same
        sys.stderr.write("miscast: Python %s cannot be watched: %s\n" % (sys.version.split()[0], _error))
    sys.dont_write_bytecode = _writes
load_hidden()
