"""Words that users should not read: ways of saying things that engineers would have to read twice.
Pages, and the texts in the sources, are searched for them.

    words.py ROOT
"""

import glob
import os
import re
import sys

# What to write instead is on the right.
WORDS = {
    r"mend(s|ed|ing)?": "fix",
    r"cures?": "fix",
    r"tak(e|es|en|ing) away": "remove",
    r"tells?|told": "report, print, say; 'distinguish' for 'tell apart'",
    r"says? of|speaks?": "report",
    r"beside": "next to",
    r"is wanted": "is needed",
    r"get at each other": "strongly connected",
    r"is covered by": "is subsumed by",
    r"made coarser": "widened",
    r"arrived with": "incoming",
    r"needs again": "saves for backward",
    r"one a processor": "one per CPU",
    r"be it": "whether or not",
    r"(it|this|there) is no [a-z]+ repository": "not a git repository",
    r"proves (it|each|every)": "confirms, or tries to confirm",
}
EXCEPTIONS = {
    ("docs/editors.md", "beside"),  # the name of a variable
}


def pages():
    for pattern in ("*.md", "docs/*.md", "rules/docs/*.md", "rules/packs/*.md", "editors/**/*.md"):
        for path in glob.glob(pattern, recursive=True):
            if "node_modules" not in path:
                with open(path, encoding="utf-8") as file:
                    yield path, list(enumerate(file, 1))


def texts():
    """String literals: messages, and help."""
    for folder in ("analyzer", "frontends", "rules", "runtime"):
        for path in glob.glob(folder + "/**/*.[cd]*", recursive=True):
            if not path.endswith((".c", ".def")):
                continue
            with open(path, encoding="utf-8") as file:
                lines = enumerate(file, 1)
                yield path, [(number, " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', line)))
                             for number, line in lines if "#include" not in line]


def main():
    os.chdir(sys.argv[1])
    found = 0
    for path, lines in [*pages(), *texts()]:
        for number, line in lines:
            for word, instead in WORDS.items():
                match = re.search(rf"\b({word})\b", line)
                if match and (path, match[0]) not in EXCEPTIONS:
                    print(f"{path}:{number}: '{match[0]}': {instead}")
                    found += 1
    return found > 0


sys.exit(main())
