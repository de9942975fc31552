#!/usr/bin/env python3
"""Puts the example on the page of every rule into other contexts, and checks that it is still found.

What is wrong in an example is mostly a dtype or a device that is written in it. Here it is chosen:
by a flag, by one of two callers of a helper, by a field of a struct that is set in another file, or
by an option in a loop over the arguments. Otherwise it is something that makes the example right. An
example without such a word is put as a whole where it runs by the same choices. In each context
the rule has to find it, and say when if a dtype or device was chosen; where the choice is never
made, it has to be silent.

Exceptions are on the page of the rule: "Not found CONTEXT, CONTEXT or CONTEXT: reason", with the
names in CONTEXTS, or "Reported without its condition CONTEXT: reason". In an option loop no rule has
to say when: lineage does not say which options a loop has seen.

    contexts.py MISCAST INCLUDE DOCS [RULE...]
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

CASTS = {"mc_half": "MC_F16", "mc_bfloat16": "MC_BF16", "mc_float": "MC_F32",
         "mc_double": "MC_F64", "mc_byte": "MC_U8", "mc_int": "MC_I32", "mc_long": "MC_I64",
         "mc_bool": "MC_BOOL", "mc_cuda": "MC_CUDA", "mc_cpu": "MC_CPU"}
DTYPES = ["MC_F32", "MC_F16", "MC_I64", "MC_BOOL", "MC_F64", "MC_I32"]
DEVICES = ["MC_CPU", "MC_CUDA"]
CONTEXTS = ["under a flag", "in a helper", "through a field", "in an option loop"]
# There is no code in them that runs.
WITHOUT_CODE = ["bad-suppression", "unused-suppression"]

HEAD = """#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <miscast/tensor.h>
struct chosen { mc_dtype dtype; mc_device device; bool on; };
"""


# ---- examples --------------------------------------------------------------------------------


class Example:
    def __init__(self, rule, code):
        self.rule = rule
        self.id = rule.replace("-", "_")
        self.includes = re.findall(r"^#.*$", code, re.M)
        code = re.sub(r"^#.*\n", "", code, flags=re.M)
        functions = list(re.finditer(r"^(?:static )?(\w[\w *]*?)\b(\w+)\(([^;{]*?)\)\n\{\n", code, re.M))
        self.before, self.parameters = "", ""
        self.body = code
        if functions:
            self.split(code, functions[-1])
        self.choice = None  # word, place, is_cast, otherwise

    def split(self, code, entry):
        """The last function is the one that is run; what is before it keeps its place."""
        end = code.index("\n}", entry.end())
        self.before = code[: entry.start()] + code[end + 2 :]
        self.body = code[entry.end() : end + 1]
        self.parameters = "" if entry[3] == "void" else entry[3]
        self.returns = entry[1].strip()
        if self.returns != "void":
            self.body = re.sub(r"\breturn\b([^;]*);", self.kept, self.body)

    @staticmethod
    def kept(found):
        return "{ consume((const void *)(uintptr_t)(%s)); return; }" % (found[1].strip() or "0")

    def named(self, text, suffix):
        """With names of its own for what the file defines."""
        names = re.findall(r"^(?:static |extern )*[\w *]*?\b(\w+)\([^;{]*\)\n\{", self.before, re.M)
        names += re.findall(r"^(?:static )?(?:struct|enum|union) (\w+) \{", self.before, re.M)
        names += re.findall(r"^static [^(\n]*?\b(\w+)(?: =.*)?;", self.before, re.M)
        for enumerators in re.findall(r"^enum(?: \w+)? \{([^}]*)\}", self.before, re.M):
            names += re.findall(r"(?:^|,)\s*(\w+)", enumerators)
        for name in set(names):
            text = re.sub(r"\b%s\b" % name, "%s_%s%s" % (self.id, name, suffix), text)
        return text

    def words(self):
        """Dtypes and devices that are written in it: word, place, whether it is a cast."""
        text = self.body
        for m in re.finditer(r"\b(mc_\w+)\(|\b(MC_[A-Z0-9]+)\b", text):
            if m[1] in CASTS:
                yield CASTS[m[1]], m.span(), True
            elif m[2] in CASTS.values():
                yield m[2], m.span(), False

    def with_choice(self, place, is_cast, is_device, by):
        text = self.body
        if not is_cast:
            return text[: place[0]] + by + text[place[1] :]
        depth, end = 1, place[1]
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        to = "mc_to_device" if is_device else "mc_to_dtype"
        inner = text[place[1] : end - 1]
        return "%s%s(%s, %s)%s" % (text[: place[0]], to, inner, by, text[end:])

    def candidates(self):
        for word, place, is_cast in self.words():
            is_device = word in DEVICES
            for other in DEVICES if is_device else DTYPES:
                if other != word:
                    yield word, place, is_cast, is_device, other

    def chosen_by(self, by):
        word, place, is_cast, is_device, other = self.choice
        return self.with_choice(place, is_cast, is_device, by)


def exceptions(page, words):
    line = re.search(r"^%s ([^:\n]*): \w" % words, page, re.M)
    return [c for c in CONTEXTS if line and c in line[1]]


def read_examples(docs, only):
    found = []
    for page in sorted(glob.glob(os.path.join(docs, "*.md"))):
        rule = os.path.basename(page)[:-3]
        text = open(page, encoding="utf-8").read()
        code = re.search(r"## Example\n\n```c\n(.*?)```", text, re.S)
        is_of_python = not code and "```python" in text
        if rule in WITHOUT_CODE or is_of_python or (only and rule not in only):
            continue
        example = Example(rule, code[1])
        example.exceptions = exceptions(text, "Not found")
        example.unconditional = exceptions(text, "Reported without its condition")
        found.append(example)
    return found


# ---- programs --------------------------------------------------------------------------------


class Program:
    """Files of functions, each the root of a program of its own."""

    def __init__(self, examples):
        includes = sorted({i for e in examples for i in e.includes})
        self.main = HEAD + "\n".join(includes) + "\nvoid consume(const void *p);\n"
        self.other = HEAD
        self.roots = {}

    def add(self, example, name, before, parameters, body, other=""):
        parameters = ", ".join(p for p in (parameters, example.parameters) if p)
        root = "%s_%s" % (example.id, name)
        suffix = "_" + name
        self.other += other
        self.main += example.named(example.before + before, suffix)
        self.main += "void %s(%s)\n{\n%s}\n" % (root, example.named(parameters, suffix) or "void",
                                                example.named(body, suffix))
        self.roots[root] = example

    def findings(self, miscast, include):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("main.c", self.main), ("other.c", self.other)):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                    out.write(text)
            with open(os.path.join(folder, "compile_flags.txt"), "w", encoding="utf-8") as out:
                out.write("-std=c17\n-w\n-I%s\n" % include)
            done = subprocess.run([miscast, "check", "--isolated", "--no-cache", "--select", "all",
                                   "--format", "json", "."], cwd=folder, capture_output=True,
                                  text=True, check=False)
            if done.returncode not in (0, 1) or "troubles\": []" not in done.stdout:
                sys.exit("the generated program is not C:\n%s" % done.stderr)
            return self.by_root(json.loads(done.stdout)["findings"])

    def by_root(self, findings):
        """Those of the rule that each root is about, in it or in what it calls."""
        starts = [(m.start(), m[1]) for m in re.finditer(r"^/\* (\w+) \*/$", self.main, re.M)]
        lines = [(self.main.count("\n", 0, at) + 1, root) for at, root in starts]
        found = {}
        for f in findings:
            root = next((r for line, r in reversed(lines) if line <= f["line"]), None)
            if f["file"].endswith("main.c") and root and self.roots[root].rule == f["rule"]:
                found.setdefault(root, []).append(f)
        return found


def add_constants(program, example):
    for i, (word, place, is_cast, is_device, other) in enumerate(example.candidates()):
        name = "constant%d" % i
        program.main += "/* %s_%s */\n" % (example.id, name)
        program.add(example, name, "", "", example.with_choice(place, is_cast, is_device, other))


def type_of(example):
    return "mc_device" if example.choice[3] else "mc_dtype"


def member_of(example):
    return "device" if example.choice[3] else "dtype"


def add_contexts(program, example, on):
    flag = "argc > 1" if on else "false"
    name = example.id
    if example.choice:
        word, other, kind = example.choice[0], example.choice[4], type_of(example)
        body = example.chosen_by("chosen")
        pick, first, second = "%s ? %s : %s" % ("%s", word, other), word if on else other, other
    else:
        kind, body = "bool", "if (chosen) {\n%s}\n" % example.body
        pick, first, second, other = "%s", "true" if on else "false", "false", "false"
        word = "true"
    passed = ", ".join(re.findall(r"(\w+)(?:,|$)", example.parameters))
    more = ", " + example.parameters if example.parameters else ""
    also = ", " + passed if passed else ""

    def begin(context):
        program.main += "/* %s_%s */\n" % (name, context)

    begin("flag")
    program.add(example, "flag", "", "int argc",
                "%s chosen = %s;\n%s" % (kind, pick % flag, body))
    begin("helper")
    program.add(example, "helper", "static void %s_helped(%s chosen%s)\n{\n%s}\n"
                % (name, kind, more, body), "",
                "%s_helped(%s%s);\n%s_helped(%s%s);\n" % (name, first, also, name, second, also))
    member = member_of(example) if example.choice else "on"
    begin("field")
    program.add(example, "field", "void %s_set(struct chosen *c, bool on);\n" % name, "int argc",
                "struct chosen config = {0};\n%s_set(&config, %s);\n%s chosen = config.%s;\n%s"
                % (name, flag, kind, member, body),
                "void %s_set(struct chosen *c, bool on)\n{\n    c->%s = %s;\n}\n"
                % (name, member, pick % "on"))
    begin("loop")
    program.add(example, "loop", "", "int argc, char **argv",
                "%s chosen = %s;\nfor (int i = 1; i < argc; i++)\n"
                "    if (!strcmp(argv[i], \"--other\"))\n        chosen = %s;\n%s"
                % (kind, other, word if on else other, body))


# ---- what is found ---------------------------------------------------------------------------


def choose(examples, miscast, include):
    """For each the first word, and another one with which its rule is silent."""
    program = Program(examples)
    for e in examples:
        add_constants(program, e)
    found = program.findings(miscast, include)
    for e in examples:
        for i, candidate in enumerate(e.candidates()):
            if not e.choice and "%s_constant%d" % (e.id, i) not in found:
                e.choice = candidate


def says_when(findings):
    return any(o.get("when") for f in findings for o in f["lineage"])


def trouble_of(example, context, here, found_without):
    """What is wrong; None: nothing."""
    is_named = example.choice and context in ("under a flag", "through a field")
    if not here and context not in example.exceptions:
        return "is not found"
    if here and context in example.exceptions:
        return "is found: the page says that it is not"
    if here and is_named and says_when(here) == (context in example.unconditional):
        return "is found, and its page is wrong about whether the condition is named"
    return "is found where nothing is chosen" if found_without else None


def check(examples, miscast, include):
    results = {}
    for on in (True, False):
        program = Program(examples)
        for e in examples:
            add_contexts(program, e, on)
        results[on] = program.findings(miscast, include)
    wrong = 0
    for e in examples:
        for context, name in zip(CONTEXTS, ["flag", "helper", "field", "loop"]):
            root = "%s_%s" % (e.id, name)
            here = results[True].get(root, [])
            trouble = trouble_of(e, context, here, root in results[False])
            if trouble:
                print("%s %s: %s (%s)" % (e.rule, context, trouble,
                                          "%s or %s" % (e.choice[0], e.choice[4])
                                          if e.choice else "as a whole"))
                wrong += 1
    return wrong


def main():
    miscast, include, docs, only = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    examples = read_examples(docs, only)
    choose(examples, os.path.abspath(miscast), os.path.abspath(include))
    wrong = check(examples, os.path.abspath(miscast), os.path.abspath(include))
    by_choice = sum(e.choice is not None for e in examples)
    print("%d rules in %d contexts, %d by a dtype or device: %d wrong"
          % (len(examples), len(CONTEXTS), by_choice, wrong))
    sys.exit(wrong > 0)


main()
