"""Runs the commands in a page of the documentation and compares their output with the page.

    run.py PROGRAM INCLUDE PAGE

A comment before a fenced block says what it is; other blocks are ignored:

    <!-- file: NAME -->     its text becomes that file, in the folder of this page
    <!-- run -->            lines with "$ " are commands, the rest is their output
    <!-- run: FOLDER -->    the same, in a fresh copy of that folder of the repository
    <!-- torch -->, <!-- torch: FOLDER -->    the same, if miscast finds a Python with PyTorch,
                            which is python there

A line "..." stands for any lines. Times are not compared. MISCAST_BLESS=1 updates the
output in the page, except where "..." still matches.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

MARK = re.compile(r"<!-- (run|torch|file)(?:: (\S+))? -->")
TIME = re.compile(r"\([0-9.e+-]+ ms\)")


def blocks(lines):
    """(what, argument, first line, line behind the last) of each block with a mark."""
    for i, line in enumerate(lines):
        mark = MARK.fullmatch(line)
        if not mark:
            continue
        if i + 1 == len(lines) or not lines[i + 1].startswith("```"):
            sys.exit(f"run.py: line {i + 1}: no fenced block follows")
        end = next(j for j in range(i + 2, len(lines)) if lines[j].startswith("```"))
        yield mark[1], mark[2], i + 2, end


def steps(lines):
    """The commands of a block, each with the lines that it is said to print."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line, []))
        elif not found:
            sys.exit("run.py: a block begins without a command: " + line)
        else:
            found[-1][1].append(line)
    return found


def even(lines):
    return [TIME.sub("(N ms)", line) for line in lines]


def fits(said, got):
    """Whether the lines got are those said, where "..." is any lines."""
    parts = [[re.escape(line)] if line != "..." else None for line in even(said)]
    pattern = "".join("(?:.*\n)*?" if part is None else part[0] + "\n" for part in parts)
    return re.fullmatch(pattern, "".join(line + "\n" for line in even(got))) is not None


class Page:
    def __init__(self, program, include, path):
        self.program, self.include, self.path = program, include, path
        self.root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        with open(path, encoding="utf-8") as file:
            self.lines = file.read().split("\n")
        self.commands = 0
        self.failed = False

    def enter(self, folder, scratch, count):
        """A fresh copy of a folder; the flags of examples are relative to the repository."""
        work = os.path.join(scratch, f"{count}", os.path.basename(folder) if folder else "work")
        if folder:
            shutil.copytree(os.path.join(self.root, folder), work,
                            ignore=shutil.ignore_patterns(".miscast"))
            flags = os.path.join(work, "compile_flags.txt")
            if os.path.exists(flags):
                with open(flags, "w", encoding="utf-8") as file:
                    file.write(f"-I{self.include}\n")
        else:
            os.makedirs(work)
        return work

    def environment(self, scratch):
        bin_folder = os.path.join(scratch, "bin")
        os.makedirs(bin_folder)
        os.symlink(self.program, os.path.join(bin_folder, "miscast"))
        home = os.path.join(scratch, "home")
        os.makedirs(home)
        return {
            "PATH": bin_folder + ":" + os.environ["PATH"],
            "HOME": home,
            # As if the runtime were installed where compilers look.
            "C_INCLUDE_PATH": self.include,
            "LIBRARY_PATH": os.path.join(os.path.dirname(self.program), "..", "runtime"),
            "LC_ALL": "C.UTF-8",
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "ASAN_OPTIONS": "detect_leaks=0",
            "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
            "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        }

    def step(self, command, said, work, env):
        """What the command prints, or what is said of it if that fits."""
        self.commands += 1
        done = subprocess.run(["sh", "-c", command[2:]], cwd=work, env=env, timeout=250,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        got = done.stdout + done.stderr # in this order, however a pipe is scheduled
        got = got.replace(os.path.realpath(work) + "/", "").replace(work + "/", "")
        got = got.rstrip("\n").split("\n") if got.strip() else []
        while said and not said[-1]:
            said = said[:-1]
        if fits(said, got):
            return said
        self.failed = True
        print("\n".join(difflib.unified_diff(even(said), even(got), "said", "got: " + command,
                                             lineterm="")))
        return got

    def has_torch(self, work, env):
        said = subprocess.run([self.program, "doctor"], cwd=work, env=env, timeout=250,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        found = re.search(r"^PyTorch +[0-9].*, by (\S+) ", said.stdout, re.M)
        python = os.path.join(env["PATH"].split(":")[0], "python")
        if found and not os.path.exists(python):
            with open(python, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nexec {found[1]} "$@"\n')
            os.chmod(python, 0o755)
        return bool(found)

    def run_block(self, first, end, work, env):
        out = []
        for command, said in steps(self.lines[first:end]):
            out += [""] * bool(out) + [command] + self.step(command, said, work, env)
        return out

    def run(self):
        new, at = [], 0
        with tempfile.TemporaryDirectory() as scratch:
            scratch = os.path.realpath(scratch)
            env = self.environment(scratch)
            work = self.enter(None, scratch, 0)
            for count, (what, argument, first, end) in enumerate(blocks(self.lines), 1):
                if what == "file":
                    with open(os.path.join(work, argument), "w", encoding="utf-8") as file:
                        file.write("\n".join(self.lines[first:end]) + "\n")
                    continue
                if argument:
                    work = self.enter(argument, scratch, count)
                if what == "torch" and not self.has_torch(work, env):
                    continue
                new += self.lines[at:first] + self.run_block(first, end, work, env)
                at = end
        new += self.lines[at:]
        if not self.commands:
            sys.exit(f"run.py: {self.path} runs nothing")
        return new


def main():
    page = Page(*map(os.path.abspath, sys.argv[1:4]))
    new = page.run()
    if os.environ.get("MISCAST_BLESS") and new != page.lines:
        with open(page.path, "w", encoding="utf-8") as file:
            file.write("\n".join(new))
        return
    if page.failed:
        sys.exit(f"{page.path} does not say what is printed; MISCAST_BLESS=1 puts that there")


main()
