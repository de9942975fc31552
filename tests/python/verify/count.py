"""Runs verify on programs of the manifest and compares the verdicts with their rows. A helper for development and for
tests; it needs torch.

    python3 count.py MISCAST FOLDER [--every N] [--only WORD] [--least PERCENT] [--show] [--packages]

Of a program that is a bug, the finding of its rule at its line should be confirmed; of one that loses data, confirmed or
not refuted; of one that is right, warnings and errors should be refuted. Exits with 1 if a bug was refuted, or a finding
in a right program was confirmed, or fewer than that many bugs were confirmed; with 77 if nothing can be run. Programs in a folder of their own, which take a
run each, are left out unless --packages is given."""
import collections
import json
import os
import subprocess
import sys


def option(name, default=None):
    if name in sys.argv:
        at = sys.argv.index(name)
        value = sys.argv[at + 1]
        del sys.argv[at : at + 2]
        return value
    return default


def rows_of(folder):
    with open(os.path.join(folder, "manifest.tsv")) as f:
        return [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]


def has_torch(miscast):
    said = subprocess.run([miscast, "doctor"], stdout=subprocess.PIPE, text=True).stdout
    return any(line.startswith("PyTorch") and line.split()[1][0].isdigit() for line in said.splitlines())


def verify(miscast, folder, names):
    """The findings, by file."""
    run = subprocess.run([miscast, "verify", "--no-cache", "--format", "json"] + names, cwd=folder,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        return json.loads(run.stdout)["findings"]
    except ValueError:
        sys.exit(run.stderr)


def verify_all(miscast, programs, names):
    """The findings by name: files of one folder together, others together."""
    groups, found = collections.defaultdict(list), collections.defaultdict(list)
    for name in names:
        groups[os.path.dirname(name).split(os.sep)[0]].append(name)
    for top, files in groups.items():
        for f in verify(miscast, os.path.join(programs, top), ["."] if top else files):
            for name in files:
                if os.path.join(os.sep, f["file"]).endswith(os.sep + name):
                    found[name].append(f)
    return found


def main():
    every, only, least = int(option("--every", "1")), option("--only"), int(option("--least", "0"))
    show = "--show" in sys.argv
    miscast, folder = [a for a in sys.argv[1:] if not a.startswith("--")]
    rows = [r for r in rows_of(folder) if "/" not in r[0] or "--packages" in sys.argv]
    if not has_torch(miscast):
        return 77
    rows = [r for r in rows if not only or only in r[0] + " " + r[3]][::every]
    found = verify_all(os.path.abspath(miscast), os.path.join(folder, "programs"), [r[0] for r in rows])
    counts, wrong = collections.Counter(), 0
    for name, kind, line, rule, *_ in rows:
        for f in found[name]:
            verdict = f.get("verdict") or {}
            word = verdict.get("kind", verdict.get("verdict", "none"))
            lines = line.split(",")
            is_meant = kind != "right" and str(f["line"]) == lines[0] and f["rule"] in rule.split("|")
            if kind == "right" and f["severity"] == "note":
                continue
            if kind != "right" and not is_meant:
                continue
            counts[kind, word] += 1
            bad = (kind == "right" and word == "confirmed") or (kind != "right" and word == "refuted")
            wrong += bad
            expected = "refuted" if kind == "right" else "confirmed"
            if show and word != expected or bad:
                print(f"{kind} {word}: {name}:{f['line']} {f['rule']}: {verdict.get('text') or verdict}")
    for (kind, word), n in sorted(counts.items()):
        print(f"{kind}: {word} {n}")
    bugs = sum(n for (kind, _), n in counts.items() if kind == "bug")
    return 1 if wrong or 100 * counts["bug", "confirmed"] < least * bugs else 0


if __name__ == "__main__":
    sys.exit(main())
