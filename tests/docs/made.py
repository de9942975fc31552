"""Generates parts of the documentation: tables of rules from the output of `miscast rules`, the
reference of the tensor API from its headers, the picture from the output of a check.

    made.py PROGRAM ROOT

Compares them with the repository; MISCAST_BLESS=1 updates it. In a page, a generated part is between
<!-- made: NAME --> and <!-- end -->.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from picture import picture
from reference import table

PROGRAM, ROOT = map(os.path.abspath, sys.argv[1:3])
HEADERS = ["types.h", "tensor.h", "amp.h", "optim.h"]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def printed(*words, cwd=None, **more):
    env = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", **more}
    return subprocess.run([PROGRAM, *words], cwd=cwd, env=env, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False).stdout


def groups():
    """[(name, what about, [(code, severity, rule, summary, fix)])], as `miscast rules` prints them."""
    found = []
    for line in printed("rules", "--isolated", NO_COLOR="1").splitlines():
        if group := re.fullmatch(r"([a-z]+): (.*)", line):
            found.append((group[1], group[2], []))
        elif rule := re.fullmatch(r"  (MC\d+)  (\S+) +(\S+) +(.*)", line):
            summary, fix = rule[4], ""
            if fixable := re.search(r" \(--(fix|unsafe-fixes)\)", summary):
                summary = summary.replace(fixable[0], "")
                fix = "safe" if fixable[1] == "fix" else "unsafe"
            found[-1][2].append((rule[1], rule[2], rule[3], summary, fix))
    return found


def rule_table():
    lines = []
    for name, about, rules in groups():
        lines += [f"## {name}", "", f"{about[0].upper()}{about[1:]}.", "",
                  "| | rule | what | severity | fix |", "|---|---|---|---|---|"]
        lines += [f"| {code} | [{rule}](../rules/docs/{rule}.md) | {summary} | {most} | {fix} |"
                  for code, most, rule, summary, fix in rules] + [""]
    return lines[:-1]


def api_reference():
    lines, pack = [], read("rules/packs/python/torch.yaml")
    for header in HEADERS:
        path = "runtime/include/miscast/" + header
        lines += [f"## [miscast/{header}](../{path})", "", *table(read(path), pack)]
    return lines[:-1]


def configuration():
    """The keys of .miscast.yaml, from its schema."""
    schema = json.loads(printed("config", "--schema"))
    return ["| key | |", "|---|---|"] + [
        f"| `{key}` | {what['description']} |" for key, what in schema["properties"].items()]


def finding():
    """A check of the example, with colours, as a picture."""
    with tempfile.TemporaryDirectory() as work:
        work = os.path.join(work, "half")
        shutil.copytree(os.path.join(ROOT, "corpus/examples/half"), work)
        with open(os.path.join(work, "compile_flags.txt"), "w", encoding="utf-8") as file:
            file.write(f"-I{ROOT}/runtime/include\n")
        text = printed("verify", "--no-cache", cwd=work, FORCE_COLOR="1")
        text = re.sub(r" \([0-9.e+-]+ ms\)", "", text)
        return picture("miscast verify", text)


MADE = {"rules": rule_table, "reference": api_reference, "configuration": configuration}
PAGES = ["docs/rules.md", "docs/reference.md", "docs/configuration.md"]
SCHEMA = "editors/vscode/miscast.schema.json"


def page(path):
    def fill(match):
        return f"<!-- made: {match[1]} -->\n" + "\n".join(MADE[match[1]]()) + "\n<!-- end -->"
    new, count = re.subn(r"<!-- made: (\S+) -->\n.*?<!-- end -->", fill, read(path), flags=re.S)
    if not count:
        sys.exit(f"made.py: nothing is made in {path}")
    return new


def main():
    stale = []
    for path, text in [*((path, page(path)) for path in PAGES), ("docs/img/finding.svg", finding()),
                       (SCHEMA, printed("config", "--schema"))]:
        if os.path.exists(os.path.join(ROOT, path)) and read(path) == text:
            continue
        stale.append(path)
        if os.environ.get("MISCAST_BLESS"):
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)
    if stale and not os.environ.get("MISCAST_BLESS"):
        sys.exit("not as they are made (MISCAST_BLESS=1 makes them): " + ", ".join(stale))


main()
