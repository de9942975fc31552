"""Applies every fix that is offered for the programs of a manifest, one at a time, and checks the result again: it has to
parse, the finding has to be gone, and nothing may be new. With --list each fix is printed as a patch, to be judged.

    check.py MISCAST FOLDER... [--list] [--only WORD] [--bar N] [--revealed FILE] [--found FOLDER] [--run]

FOLDER is ../idioms or ../cases; --bar: so many fixes at least; --found: where ../idioms/check.sh has left what it found,
as idioms.json and cases.json, so that it is not looked for again. With --run, programs that raise an error on the CPU are
run by PyTorch, before and after their fix."""
import argparse
import ast
import difflib
import json
import os
import signal
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore")


def findings(miscast, folder, names):
    """What is found in the files of a folder, by file."""
    out = {name: [] for name in names}
    if not names:
        return out
    run = subprocess.run([miscast, "check", "--format", "json", "--isolated", "--no-cache", *names], cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{miscast} ended with {run.returncode} in {folder}")
    return by_file(run.stdout, folder, out)


def by_file(report, folder, out):
    for f in json.loads(report)["findings"]:
        name = os.path.relpath(os.path.join(folder, os.path.basename(f["file"])), folder)
        out.setdefault(name, []).append(f)
    return out


def offset(lines, line, column):
    return sum(len(text) for text in lines[:line - 1]) + column - 1


def applied(data, edits):
    """The bytes of a file with the edits made."""
    lines = data.splitlines(keepends=True) if b"\r" not in data else data.split(b"\n")
    if b"\r" in data:
        lines = [text + b"\n" for text in lines[:-1]] + [lines[-1]]
    spans = sorted(((offset(lines, e["line"], e["column"]), offset(lines, e["end_line"], e["end_column"]), e["text"])
                    for e in edits), reverse=True)
    for begin, end, text in spans:
        data = data[:begin] + text.encode() + data[end:]
    return data


def key(f):
    return f["rule"], f["message"]


ROUNDS = 4


class Fix:
    """One fix, and what is left after it. A call that failed hides what comes behind it: what is found there then is fixed
    in further rounds, as --fix does."""

    def __init__(self, name, finding, before, after):
        self.name, self.finding, self.before, self.after = name, finding, before, after
        self.first = after
        self.parses, self.gone, self.new, self.rounds = is_python(after), False, [], 1

    def judge(self, old, now):
        """Whether one of its kind is gone, and which are new: a finding that was there may move to another line."""
        count = {}
        for f in old:
            count[key(f)] = count.get(key(f), 0) + 1
        self.gone = sum(key(f) == key(self.finding) for f in now) < count[key(self.finding)]
        self.new = []
        for f in now:
            count[key(f)] = count.get(key(f), 0) - 1
            if count[key(f)] < 0 and f["severity"] != "note" and self.caused(f):
                self.new.append(f)

    def caused(self, f):
        """Whether a new finding comes from what was edited; else a call that failed before had hidden it."""
        lines = {e["line"] for e in self.finding["fix"]["edits"]}
        places = {place["line"] for place in f["lineage"] if place.get("line")}
        return bool(lines & places) or (f["rule"] == self.finding["rule"] and f["line"] == self.finding["line"])

    def go_on(self, now):
        """Fixes what is left, if it can be."""
        left = self.new if self.gone else [f for f in now if key(f) == key(self.finding)]
        left = [f for f in left if f.get("fix") and f["fix"]["edits"]]
        if not left or (self.gone and not self.new) or self.rounds == ROUNDS:
            return False
        self.after = applied(self.after, left[0]["fix"]["edits"])
        self.parses = is_python(self.after)
        self.rounds += 1
        return self.parses

    def is_right(self):
        return self.parses and self.gone and not self.new

    def patch(self):
        a, b = (text.decode(errors="replace").splitlines() for text in (self.before, self.after if self.is_right() else self.first))
        return "\n".join(line for line in difflib.unified_diff(a, b, lineterm="", n=0)
                         if not line.startswith(("---", "+++", "@@")))

    def __str__(self):
        f = self.finding
        state = "ok" if self.is_right() else "BAD" + " parse" * (not self.parses) + " stays" * (
            self.parses and not self.gone) + "".join(f" new:{n['rule']}:{n['line']}" for n in self.new)
        return (f"== {self.name}:{f['line']} {f['rule']} ({'safe' if f['fix']['safe'] else 'unsafe'}) [{f['fix']['what']}] "
                f"{state} {'' if self.rounds == 1 else self.rounds}\n{self.patch()}")


def is_python(data):
    try:
        ast.parse(data.decode())
    except (SyntaxError, ValueError):
        return False
    return True


def collect(miscast, folder, only, kept):
    programs = os.path.join(folder, "programs")
    names = sorted(n for n in os.listdir(programs) if n.endswith(".py") and only in n)
    if kept:
        with open(os.path.join(kept, os.path.basename(os.path.abspath(folder)) + ".json"), encoding="utf-8") as f:
            found = by_file(f.read(), programs, {name: [] for name in names})
    else:
        found = findings(miscast, programs, names)
    fixes = []
    for name in names:
        with open(os.path.join(programs, name), "rb") as f:
            data = f.read()
        for finding in found[name]:
            fix = finding.get("fix")
            if fix and fix["edits"] and all(os.path.basename(e["file"]) == name for e in fix["edits"]):
                fixes.append(Fix(name, finding, data, applied(data, fix["edits"])))
    return found, fixes


def recheck(miscast, found, fixes):
    todo = [fix for fix in fixes if fix.parses]
    while todo:
        with tempfile.TemporaryDirectory() as scratch:
            names = [f"fix{i}.py" for i in range(len(todo))]
            for name, fix in zip(names, todo):
                with open(os.path.join(scratch, name), "wb") as f:
                    f.write(fix.after)
            now = findings(miscast, scratch, names)
        for name, fix in zip(names, todo):
            fix.judge(found[fix.name], now[name])
        todo = [fix for name, fix in zip(names, todo) if fix.go_on(now[name])]


def outcome(data):
    """What a program raises when PyTorch runs it; "": nothing. In a process of its own, with torch already imported."""
    import torch  # noqa: F401
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(30)
        text = ""
        sys.argv = ["program.py"]
        try:
            exec(compile(data.decode(), "program.py", "exec"), {"__name__": "__main__"})
        except SystemExit:
            pass
        except BaseException as e:
            text = f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}"
        os.write(w, text.encode()[:500])
        os._exit(0)
    os.close(w)
    with os.fdopen(r, "rb") as f:
        text = f.read().decode(errors="replace")
    return text if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 else "it was ended"


# What says nothing about the fix: no GPU here, and ops that an old PyTorch does not have on the CPU.
NOT_HERE = ("CUDA", "NVIDIA", "not implemented for", "ImportError", "ModuleNotFoundError", "AttributeError: module 'torch")


def run(fixes):
    """Prints how many programs that raise something raise nothing once they are fixed."""
    before, ran, good = {}, 0, 0
    for fix in fixes:
        if fix.name not in before:
            before[fix.name] = outcome(fix.before)
        if not fix.is_right() or not before[fix.name] or any(word in before[fix.name] for word in NOT_HERE):
            continue
        after = outcome(fix.after)
        if any(word in after for word in NOT_HERE):
            continue
        ran += 1
        good += not after
        if after:
            print(f"RUN {fix.name}:{fix.finding['line']} {fix.finding['rule']}: {before[fix.name]} -> {after}")
    print(f"{ran} fixed programs that raised an error were run, {good} raise none")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("miscast")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--bar", type=int, default=0)
    parser.add_argument("--found")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--revealed", help="programs in which a fix only shows the next bug, one in a line")
    args = parser.parse_args()
    total = bad = 0
    revealed = []
    if args.revealed:
        with open(args.revealed) as f:
            revealed = [line.split()[0] for line in f if line.strip() and not line.startswith("#")]
    for folder in args.folders:
        found, fixes = collect(os.path.abspath(args.miscast), folder, args.only, args.found)
        recheck(os.path.abspath(args.miscast), found, fixes)
        for fix in fixes:
            if args.list or not fix.is_right():
                print(fix)
        good = sum(fix.is_right() for fix in fixes)
        print(f"{os.path.basename(os.path.abspath(folder))}: {len(fixes)} fixes; parse {sum(f.parses for f in fixes)}, finding "
              f"gone {sum(f.gone for f in fixes)}, with new findings {sum(bool(f.new) for f in fixes)}, all right {good}")
        if args.run:
            run(fixes)
        total += len(fixes)
        bad += sum(not fix.is_right() and not (fix.parses and fix.gone and fix.name in revealed) for fix in fixes)
    if total < args.bar:
        print(f"fewer than {args.bar} fixes are offered")
    return 1 if bad or total < args.bar else 0


if __name__ == "__main__":
    sys.exit(main())
