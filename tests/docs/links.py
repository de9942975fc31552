"""Checks that links in the documentation lead to existing files, folders and headings.

    links.py ROOT
"""

import os
import re
import sys

ROOT = sys.argv[1]


def plain(text):
    """A page without its blocks and spans of code."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def anchor(heading):
    heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(path):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.S | re.M)
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def broken(page):
    path = os.path.join(ROOT, page)
    with open(path, encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"", plain(file.read()))
    for link in (a or b for a, b in links):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, part = link.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if not os.path.exists(there) or (part and part not in anchors(there)):
            yield f"{page}: {link}"


def pages():
    found = ["README.md", "CONTRIBUTING.md", "rules/packs/README.md"]
    for folder in ("docs", "rules/docs"):
        found += [f"{folder}/{name}" for name in sorted(os.listdir(os.path.join(ROOT, folder)))
                  if name.endswith(".md")]
    return found


def main():
    bad = [line for page in pages() for line in broken(page)]
    sys.exit("\n".join(["links that lead nowhere:", *bad]) if bad else 0)


main()
