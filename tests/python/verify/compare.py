"""Compares the verdicts of two reports, such as one from here and one of a bundle that was run on another machine. A helper
for development.

    miscast verify --emit DIR --format json FILES >here.json     # DIR/run.py is run elsewhere, and DIR comes back
    miscast verify --import DIR --format json FILES >there.json
    python3 compare.py here.json there.json

Prints every finding whose verdict differs, and how many there are of each pair; exits with 1 if one is refuted in the second
report that was confirmed in the first, or the other way round."""
import collections
import json
import sys


def verdicts(path):
    with open(path) as f:
        return {(f["file"], f["line"], f["column"], f["rule"], f["message"]): f.get("verdict") or {}
                for f in json.load(f)["findings"]}


def word(verdict):
    return verdict.get("kind", verdict.get("verdict", "none"))


def main():
    here, there = verdicts(sys.argv[1]), verdicts(sys.argv[2])
    counts, opposite = collections.Counter(), 0
    for key, a in here.items():
        b = there.get(key, {})
        counts[word(a), word(b)] += 1
        opposite += {word(a), word(b)} == {"confirmed", "refuted"}
        if word(a) != word(b):
            print("%s:%d %s: %s (%s), but there %s (%s)" % (key[0], key[1], key[3], word(a), a.get("text"), word(b), b.get("text")))
    for (a, b), n in sorted(counts.items()):
        print("%s here, %s there: %d" % (a, b, n))
    return opposite > 0


if __name__ == "__main__":
    sys.exit(main())
