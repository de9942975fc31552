"""Does something once a program has imported torch, in an interpreter that starts by itself."""

import importlib.abc
import importlib.util
import sys


def when_imported(start):
    if "torch" in sys.modules:
        try_start(start, sys.modules["torch"])
    else:
        sys.meta_path.insert(0, Finder(start))


class Finder(importlib.abc.MetaPathFinder):
    """Finds torch as others do, and starts after it was loaded."""

    def __init__(self, start):
        self.start = start

    def find_spec(self, name, path=None, target=None):
        if name != "torch":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.loader is not None:
            spec.loader = Loader(spec.loader, self.start)
        return spec


class Loader(importlib.abc.Loader):
    def __init__(self, loader, start):
        self.loader = loader
        self.start = start

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        try_start(self.start, module)


def try_start(start, torch):
    """The program runs, whatever happens here."""
    try:
        start()
    except Exception as error:
        version = getattr(torch, "__version__", "")
        sys.stderr.write("miscast: PyTorch %s cannot be watched: %s\n" % (version, error))
