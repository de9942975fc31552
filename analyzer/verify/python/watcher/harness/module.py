"""The file of a function, as a module. What a script does besides defining something is left out: it
may need data, and takes its time."""

import ast
import importlib
import inspect
import os
import sys

from .. import texts

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
# What may stand in a module that is only imported. Assignments are made as far as that goes.
QUIET = DEFINITIONS + (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Try, ast.If, ast.Pass)


class NotCallable(Exception):
    """There is no such function that could be called from outside."""


def name_of(file):
    """The name that a program imports the file by, and the folder that has to be in sys.path."""
    folder, name = os.path.split(os.path.realpath(file))
    parts = [] if name == "__init__.py" else [name[: -len(".py")]]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, last = os.path.split(folder)
        parts.insert(0, last)
    return ".".join(parts), folder


def load(file):
    name, folder = name_of(file)
    for each in (os.path.dirname(os.path.realpath(file)), folder):
        if each not in sys.path:
            sys.path.insert(0, each)
    tree = ast.parse(texts.read(file), file)
    if all(is_quiet(statement) for statement in tree.body):
        try:
            return importlib.import_module(name)
        except Exception:  # a part of it may need what is not there
            sys.modules.pop(name, None)
    return definitions(file, name, tree)


def is_quiet(statement):
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    is_main = isinstance(statement, ast.If) and "__name__" in ast.dump(statement.test)
    return is_text or is_main or isinstance(statement, QUIET) and not makes(statement)


def makes(statement):
    """Whether an assignment calls something: a script sets up what it works with."""
    return not isinstance(statement, DEFINITIONS) and any(
        isinstance(n, (ast.Call, ast.For, ast.While)) for n in ast.walk(statement))


def definitions(file, name, tree):
    """Executes definitions and assignments; one that fails is left out."""
    made = type(sys)(name)
    made.__file__ = file
    if "." in name:
        made.__package__ = name.rpartition(".")[0]
        importlib.import_module(made.__package__)
    sys.modules[name] = made
    for statement in tree.body:
        if not isinstance(statement, QUIET) or "__name__" in ast.dump(getattr(statement, "test", statement)):
            continue
        code = compile(ast.Module([statement], []), file, "exec", dont_inherit=True)
        try:
            exec(code, made.__dict__)
        except (Exception, SystemExit):
            pass
    return made


def find(module, name):
    """A function by its name with dots, and the class that it is a method of; None: it is none."""
    owner, found = None, module
    for part in name.split("."):
        owner = found if inspect.isclass(found) else None
        try:
            found = inspect.getattr_static(found, part) if owner else getattr(found, part)
        except AttributeError:
            raise NotCallable("%s cannot be called from outside" % name) from None
        if isinstance(found, (staticmethod, classmethod)):
            found, owner = getattr(owner, part), None
    return found, owner
