"""Which branches a program takes: the plan names conditions ("branches": file, line, column and end of
each), and for each of them it is reported, once, that it was true, and once that it was false.

Needs the columns of instructions, which Python has from 3.11 on. It is slow, and for a run of its own.
"""

import dis
import sys

from .places import HAS_COLUMNS

JUMPS_WHEN = (("IF_NOT_NONE", False), ("IF_NONE", True), ("IF_FALSE", False), ("IF_TRUE", True))


class Branches:
    def __init__(self, context):
        self.recorder = context.recorder
        self.places = context.places
        self.wanted = {}  # by file: [first line, column, last line, column, number]
        for number, b in enumerate(context.plan.get("branches", ())):
            place = (b["line"], b["column"], b["end_line"], b["end_column"], number)
            self.wanted.setdefault(b["file"], []).append(place)
        self.known = {}  # by code: its conditional jumps
        self.reported = set()

    def __enter__(self):
        if HAS_COLUMNS and self.wanted:
            sys.settrace(self.enter)
        return self

    def __exit__(self, *args):
        sys.settrace(None)

    def enter(self, frame, event, argument):
        """Traces functions that have such conditions, and no others."""
        code = frame.f_code
        if code not in self.known:
            self.known[code] = self.jumps_of(code)
        jumps = self.known[code]
        if not jumps:
            return None
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        last = [None]

        def trace(frame, event, argument):
            if event != "opcode":
                return trace
            at = frame.f_lasti
            if last[0] is not None:
                number, jumped_means, following = last[0]
                self.report(number, jumped_means if at != following else not jumped_means)
            last[0] = jumps.get(at)
            return trace

        return trace

    def jumps_of(self, code):
        """By offset: (number of the condition, its truth where the jump is taken, what follows)."""
        wanted = self.wanted.get(self.places.file_of(code.co_filename) or "")
        found = {}
        if not wanted:
            return found
        all = [i for i in dis.get_instructions(code)]
        value = None  # the last instruction before a jump: what makes the value that it tests
        for i, following in zip(all, all[1:] + all[-1:]):
            truth = [t for word, t in JUMPS_WHEN if word in i.opname]
            # A jump on a plain name or attribute has the place of the whole statement in Python 3.11.
            places = [p.positions for p in (i, value) if p and truth and "JUMP" in i.opname]
            value = value if i.opname == "EXTENDED_ARG" else i
            for line, column, end_line, end_column, number in wanted:
                for at in places:
                    if self.ends_at(at, end_line, end_column) and i.offset not in found:
                        is_same = (at.lineno, at.col_offset + 1) == (line, column)
                        found[i.offset] = (number, self.meaning(code, i, at, truth[0], is_same),
                                           following.offset)
        return found

    @staticmethod
    def ends_at(at, line, column):
        return bool(at and at.end_col_offset is not None
                    and (at.end_lineno, at.end_col_offset + 1) == (line, column))

    def meaning(self, code, instruction, at, truth, is_same):
        """Of `not x` the jump is about x; of `x is not None`, the other way round."""
        if "NONE" in instruction.opname:
            text = self.text_of(code, at)
            return truth == ("not" not in text.split())
        return truth if is_same else not truth

    def text_of(self, code, at):
        import linecache

        line = linecache.getline(code.co_filename, at.lineno)
        return line[at.col_offset:at.end_col_offset] if at.lineno == at.end_lineno else ""

    def report(self, number, value):
        if (number, value) not in self.reported:
            self.reported.add((number, value))
            self.recorder.send({"branch": number, "value": int(value)})


def mode(context):
    return Branches(context)
