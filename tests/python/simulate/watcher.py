"""Loads the package that runs in the user's interpreter (analyzer/verify/python/watcher), for tests of its simulated
cuda: simulate is its module, TORCH the version that is here."""
import importlib
import importlib.util
import os
import re
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
TORCH = tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2])


def load():
    folder = os.path.join(ROOT, "analyzer/verify/python/watcher")
    spec = importlib.util.spec_from_file_location(
        "miscast_watcher", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder])
    package = importlib.util.module_from_spec(spec)
    sys.modules["miscast_watcher"] = package
    spec.loader.exec_module(package)
    return importlib.import_module("miscast_watcher.simulate")


simulate = load()
tensors = importlib.import_module("miscast_watcher.tensors")
