"""Where a program fails: runs it with many command lines and environments, simulated GPUs included.

    settings.py [-v] BUILD FOLDER [SUBFOLDER | FILE]...

BUILD is the build folder, FOLDER has the manifest. Words of command lines are numbers and the strings
in the source, and those of a comment "Words: ..."; variables are those that it names in getenv; "x" is
also a file. Prints each program that
does not agree with its row: a bug has to raise an error at each of its lines, and at no other, and as
many kinds of errors as the row has the line; nothing else may raise one. With -v, every program and a
setting for each line and kind.
"""

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

RUNS = 160  # of one program; those with fewer words come first


def compile_program(build, source, program):
    root = os.path.dirname(os.path.abspath(__file__)) + "/../.."
    subprocess.run(["cc", "-std=gnu17", "-O0", "-w", f"-I{root}/runtime/include", source, "-o", program,
                    f"{build}/runtime/libmiscast.a", "-lopenblas", "-pthread", "-lm", "-ldl"], check=True)


def settings(text):
    """Pairs of a command line and an environment, those with fewer words first."""
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(r"^#include.*", "", text, flags=re.M))
    variables = sorted(set(re.findall(r'getenv\("(\w+)"\)', text)))
    said = [w for line in re.findall(r"/\* Words: (.*?) \*/", text) for w in line.split()]
    words = [s for s in dict.fromkeys(said + strings) if s and s not in variables and not re.search(r"[\s%\\]", s)]
    longs = re.findall(r'\{"(\w+)", (?:no|required)_argument', text)
    words = ["--" + w if w in longs else w for w in words]
    words += ["1", "0", "2", "3", "-1", "x"]
    if "getenv" in text and not variables:
        variables = [w for w in words if w.isupper()]
    environments = [dict(zip(variables, v)) for v in
                    itertools.product([None, "1", "0", *words[:-6]], repeat=len(variables))]
    if "mc_cuda_is_available" in text:
        environments += [dict(e, MISCAST_SIM_DEVICES="0") for e in environments]
    lines = (list(line) for n in range(4) for line in itertools.product(words, repeat=n))
    if "argv" not in text and "argc" not in text:
        lines = [[]]
    return itertools.islice(((line, e) for line in lines for e in environments), RUNS)


def run(program, line, variables, work):
    """Where it failed and how: (0, ""): it did not."""
    trace = work + "/trace"
    if os.path.exists(trace):
        os.remove(trace)
    environment = dict(os.environ, MISCAST_CUDA="sim", MISCAST_SIM_DEVICES="3", MISCAST_THREADS="1",
                       MISCAST_TRACE=trace)
    environment.update((k, v) for k, v in variables.items() if v is not None)
    subprocess.run([program, *line], env=environment, capture_output=True, cwd=work, timeout=20,
                   stdin=subprocess.DEVNULL)
    for row in open(trace) if os.path.exists(trace) else []:
        row = json.loads(row) if '"error":{' in row else None
        if row and not row["backward"]:  # what backward goes through is not where it fails
            return row["line"], row["error"]["kind"]
    return 0, ""


def failures(build, source):
    """The first setting of each failure; and how many runs there were."""
    found, count = {}, 0
    with tempfile.TemporaryDirectory() as work:
        compile_program(build, source, work + "/program")
        open(work + "/x", "wb").write(bytes([1, 0, 0, 0] * 16))
        for line, variables in settings(open(source).read()):
            failure = run(work + "/program", line, variables, work)
            count += 1
            if failure[0]:
                shown = [f"{k}={v}" for k, v in variables.items() if v is not None]
                found.setdefault(failure, " ".join(shown + line) or "no arguments")
    return found, count


def main(arguments):
    shown = arguments[:1] == ["-v"]
    build, folder, *files = arguments[shown:]
    rows = [r.split("\t") for r in open(folder + "/manifest.tsv").read().splitlines() if r[:1] not in ("", "#")]
    wrong = 0
    for name, kind, lines, *_ in rows:
        if files and name not in files and name.split("/")[0] not in files:
            continue
        found, count = failures(os.path.abspath(build), os.path.abspath(f"{folder}/{name}"))
        # A contract is reported where the function is called.
        raised = sorted(line for line, how in found if how != "contract")
        said = sorted(int(n) for n in re.split("[,|]", lines) if n.isdigit())
        good = raised == (said if kind == "bug" and len(raised) == len(found) else [])
        wrong += not good
        if shown or not good:
            print(f"{name}\t{kind}\t{lines}\t{count} runs",
                  *(f"{line} {how}: {v}" for (line, how), v in sorted(found.items())), sep="\t", flush=True)
    return wrong > 0


sys.exit(main(sys.argv[1:]))
