"""Where in the project an operation happens: the innermost frame whose file belongs to the project,
and the expression that it is at.

From Python 3.11 on an instruction knows the lines and columns of its expression (columns are bytes,
from 0 on). Before that only its line is known: then calls and operators of the line are counted, as
miscast counts them (analyzer/verify/evidence.c), and the place has its number among how many.
MISCAST_LINES_ONLY in the environment makes later versions do the same, for tests.
"""

import dis
import os
import sys

HAS_COLUMNS = sys.version_info >= (3, 11) and not os.environ.get("MISCAST_LINES_ONLY")
HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Place:
    """An expression. Without columns: call, how many calls precede it on its line, of how many."""

    __slots__ = ("file", "line", "column", "end_line", "end_column", "call", "calls", "function")

    def __init__(self, file, line, column, end_line, end_column, call, calls, function):
        self.file = file
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column
        self.call = call
        self.calls = calls
        self.function = function

    def record(self, is_statement=False):
        """The members of a record that say where it was. Columns count from 1, as in findings."""
        out = {"file": self.file, "line": self.line, "function": self.function}
        if self.column >= 0 and not is_statement:
            out["column"] = self.column + 1
            out["end_line"] = self.end_line
            out["end_column"] = self.end_column + 1
        elif self.call >= 0 and not is_statement:
            out["call"] = self.call
            out["calls"] = self.calls
        return out


class Places:
    """The files of one project, and the places in them."""

    def __init__(self, roots):
        self.roots = tuple(os.path.join(os.path.realpath(r), "") for r in roots)
        self.outside = tuple(sorted({HERE} | library_folders(self.roots)))
        self.files = {}  # by co_filename: the real path, or None if it is not of the project
        self.known = {}  # by (id of code, instruction): the place; keeps the code alive
        self.kept = {}

    def file_of(self, name):
        """The real path of a file of the project; None: it is none."""
        try:
            return self.files[name]
        except KeyError:
            path = os.path.realpath(name) if name and not name.startswith("<") else ""
            inside = path.startswith(self.roots) and not path.startswith(self.outside)
            inside = inside and "/site-packages/" not in path and "/dist-packages/" not in path
            self.files[name] = path if inside else None
            return self.files[name]

    def frame_of(self, frame):
        """The innermost frame of the project, from this one outward; None: there is none."""
        files = self.files
        while frame is not None:
            name = frame.f_code.co_filename
            if files[name] if name in files else self.file_of(name):
                return frame
            frame = frame.f_back
        return None

    def place(self, frame):
        """The place of the innermost frame of the project; None: it is not in the project."""
        frame = self.frame_of(frame)
        return self.place_of(frame) if frame is not None else None

    def place_of(self, frame):
        """The place of this very frame, which is of the project."""
        code = frame.f_code
        key = (id(code), frame.f_lasti)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.make(code, frame.f_lasti, frame.f_lineno)
            self.kept[key[0]] = code
        return found

    def make(self, code, instruction, line):
        line, end_line, column, end_column = span_of(code, instruction, line)
        call, calls = (-1, 0) if column >= 0 else call_of(code, instruction)
        return Place(self.file_of(code.co_filename), line, column, end_line, end_column, call, calls,
                     getattr(code, "co_qualname", code.co_name))


def library_folders(roots):
    """The folders of the standard library and of packages; an environment may be in the project."""
    names = {os.path.dirname(os.__file__), sys.prefix, sys.exec_prefix}
    found = {os.path.join(os.path.realpath(n), "") for n in names}
    return {f for f in found if f not in roots and not any(r.startswith(f) for r in roots)}


def span_of(code, instruction, line):
    """Lines and columns of an instruction; columns are -1 where they are not known."""
    if HAS_COLUMNS:
        for i, position in enumerate(code.co_positions()):
            if i == instruction // 2:
                if position[0] is not None and position[3] is not None:
                    return position[0], position[1], position[2], position[3]
                break
    return line or 0, line or 0, -1, -1


def is_call(i):
    """Whether an instruction is lowered to a call or an operator of values."""
    name = i.opname
    if name == "COMPARE_OP":
        return i.argrepr not in ("is", "is not", "in", "not in", "exception match")
    return name != "UNARY_NOT" and name.startswith(
        ("CALL_", "BINARY_", "INPLACE_", "UNARY_", "STORE_SUBSCR")) or name == "CALL"


def call_of(code, instruction):
    """How many calls of its line come before an instruction, in the order of the bytecode, and how
    many there are; -1: it is none."""
    line, lines, at = None, [], None
    for i in dis.get_instructions(code):
        if i.starts_line is not None and i.starts_line is not False:
            line = getattr(i, "line_number", None) or i.starts_line
        if i.offset == instruction and is_call(i):
            at = len(lines)
        if is_call(i):
            lines.append(line)
    if at is None:
        return -1, 0
    return lines[:at].count(lines[at]), lines.count(lines[at])
