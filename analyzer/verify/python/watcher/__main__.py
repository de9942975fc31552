"""python3 -I -B WATCHER PLAN PROGRAM [ARGUMENT...]

Loads the package under a name of its own, so that no module of the program can be meant by one of
ours, nor one of ours by the program; then starts the program.
"""

import importlib.util
import os
import sys

NAME = "miscast_watcher"


def load():
    folder = os.path.dirname(os.path.abspath(__file__))
    spec = importlib.util.spec_from_file_location(
        NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    return importlib.import_module(NAME + ".start")


if __name__ == "__main__":
    load().main(sys.argv[1:])
