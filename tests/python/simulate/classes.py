"""Makes the classes of ../models/cases.txt on the simulated cuda, runs them and compares with the rows that were recorded on a GPU
(../models/rows.tsv): dtypes of results, and errors.

    classes.py [WORD in the row]

Errors agree if both are some; those with other words are counted. What PyTorch of an old version has not is left out."""
import os
import re
import sys
import warnings

from watcher import ROOT, TORCH, simulate

import torch

FOLDER = os.path.join(ROOT, "tests/python/models")
sys.path.insert(0, FOLDER)
import record  # noqa: E402

NEWER = re.compile("has no attribute|unexpected keyword|not callable|takes .* positional")
# What the CPU of an old version cannot.
CHANGED = re.compile("primitive descriptor")
# Classes that convert masks today and did not before.
MASKS = re.compile("Transformer|MultiheadAttention")


class Context:
    def __init__(self, device):
        self.device = device

    def __enter__(self):
        state = simulate.state
        self.before, state.default = state.default, simulate.labels.DEVICES[0] if self.device == "cuda" else None

    def __exit__(self, *raised):
        simulate.state.default = self.before


class Torch:
    """torch, with devices as contexts where it has none."""
    device = Context

    def __getattr__(self, name):
        return getattr(torch, name)


if not hasattr(torch.device, "__enter__"):
    record.torch = Torch()


def is_error(text):
    return bool(re.match(r"\w*Error: ", text))


def main(args):
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with open(os.path.join(FOLDER, "rows.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    columns = rows[1][7:]
    count = {"same": 0, "other words": 0, "differ": 0, "newer": 0}
    with simulate.mode(None):
        for row in rows[2:]:
            if row[0] != "class" or row[2] == "-" or (args and args[0] not in row[1]):
                continue
            for column, expected in zip(columns, row[7:]):
                if "cuda" not in column:
                    continue
                torch.manual_seed(0)
                found = record.guarded(lambda: record.forward(row[1], row[2], record.MODES[column]))
                what = "same"
                if is_error(found) and (NEWER.search(found) or CHANGED.search(found)) and TORCH < (2, 5):
                    what = "newer"
                elif is_error(found) != is_error(expected) or (not is_error(found) and found != expected):
                    what = "differ"
                elif is_error(found) and found[:70] != expected[:70]:
                    what = "other words"
                if what == "differ" and TORCH < (2, 0) and MASKS.search(row[1]) and re.search("zeros|mask", row[2]):
                    what = "newer"
                count[what] += 1
                if what == "differ" or (what == "other words" and os.environ.get("WORDS")):
                    print(row[1], row[2], f"[{column}]\n    recorded:  {expected}\n    simulated: {found}", flush=True)
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return count["differ"] > 0 or count["same"] == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
