"""Compares the comments of arrays.py with what NumPy and PyTorch do. A helper for development: it needs both.

    python3 record.py [--write]"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def dtype_of(value):
    return str(value.dtype).replace("torch.", "")


def main():
    names, lines, wrong = {}, [], 0
    with open(os.path.join(HERE, "arrays.py")) as f:
        for line in f.read().splitlines():
            asked = re.match(r"reveal_type\((.*)\)  # (\S*)$", line)
            if not asked:
                exec(line, names)
                lines.append(line)
                continue
            is_so = dtype_of(eval(asked[1], names))
            wrong += is_so != asked[2]
            lines.append(f"reveal_type({asked[1]})  # {is_so}")
            if is_so != asked[2]:
                print(f"{asked[1]} is {is_so}, not {asked[2]}")
    if "--write" in sys.argv:
        with open(os.path.join(HERE, "arrays.py"), "w") as f:
            f.write("\n".join(lines) + "\n")
    return wrong > 0


sys.exit(main())
