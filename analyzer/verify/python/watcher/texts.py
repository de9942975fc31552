"""Files that are to hold something else than they do: a program is run with a change that is not saved.
"""

import importlib.machinery
import os

known = {}  # by real path


def install(texts):
    if not texts:
        return
    known.update(texts)
    loader = importlib.machinery.SourceFileLoader
    plain = loader.get_code

    def get_code(self, name):
        path = self.get_filename(name)
        return compiled(path) if os.path.realpath(path) in known else plain(self, name)

    loader.get_code = get_code


def read(path):
    text = known.get(os.path.realpath(path))
    if text is not None:
        return text.encode()
    with open(path, "rb") as f:
        return f.read()


def compiled(path):
    return compile(read(path), path, "exec", dont_inherit=True)
