"""README.md fits on three screens of 1,000 pixels, and the first one says who it is for.

    screens.py ROOT

Heights are estimated from the text, as GitHub renders it on a wide window: a paragraph has 24
pixels for each line of about 110 letters, a line of code has 20. A browser agrees within 5%.
"""

import os
import re
import sys

SCREEN, SCREENS = 1000, 3
FIRST = ("It is for people who write", "<img ", "## Installing", "packages (", "miscast check", "miscast verify")


def seen(text):
    """What is left of a paragraph when it is rendered."""
    return re.sub(r"\]\([^)]*\)|[*`\[\]]", "", text)


def folded(text):
    return max(1, -(-len(seen(text)) // 110))


def heights(lines):
    """The height of each line."""
    is_code = False
    for line in lines:
        if line.startswith("```"):
            is_code = not is_code
            yield 24
        elif is_code:
            yield 20
        elif line.startswith("<img"):
            yield 205
        elif line.startswith("#"):
            yield 64
        elif line.startswith("|--") or line.startswith("<!--") or not line:
            yield 0
        elif line.startswith("|"):
            yield 13 + 24 * folded(line)
        elif line.startswith("- "):
            yield 4 + 24 * folded(line)
        else:
            yield 16 + 24 * folded(line)


def main():
    with open(os.path.join(sys.argv[1], "README.md"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    height, first = 32, []
    for line, more in zip(lines, heights(lines)):
        height += more
        if height <= SCREEN:
            first.append(line)
    print(f"{height} pixels; the first screen ends with: {first[-1]}")
    missing = [text for text in FIRST if text not in "\n".join(first)]
    for text in missing:
        print(f"not on the first screen: {text}")
    return height > SCREENS * SCREEN or bool(missing)


sys.exit(main())
