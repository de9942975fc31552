"""check.py FOLDER: runs the programs of lost/ and right/ with shadow values, one fork each, and compares what is reported
with their comments: "# expect: rule…" on the line where it is lost, one of them if there are several; nothing else may be
reported, and every shadow must have been computed."""
import importlib.util
import json
import os
import re
import runpy
import sys
import tempfile

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
WATCHER = sys.argv[1]
WORDS = sys.argv[2:]


def load():
    name = "miscast_watcher"
    spec = importlib.util.spec_from_file_location(name, os.path.join(WATCHER, "__init__.py"),
                                                  submodule_search_locations=[WATCHER])
    package = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(package)
    return importlib.import_module(name + ".sanitize")


def run(sanitize, program, file):
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.environ["MISCAST_RUN"] = file
        code = 1
        try:
            sanitize.start()
            runpy.run_path(program, run_name="__main__")
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1]


def expected(program):
    with open(program) as f:
        found = [(i, re.search(r"# expect: (.*)", line)) for i, line in enumerate(f, 1)]
    return {i: m.group(1).split() for i, m in found if m}


def check(sanitize, program):
    """What is wrong with it, as text; empty: nothing."""
    with tempfile.NamedTemporaryFile() as f:
        status = run(sanitize, program, f.name)
        lines = [json.loads(line) for line in f]
    wanted, wrong = expected(program), []
    if status:
        wrong.append("it ended with %d" % status)
    seen = {}
    for loss in (l for l in lines if "loss" in l):
        at = loss["at"]
        seen.setdefault(at["line"] if at["file"] == program else at["file"], []).append(loss)
    for line, rules in wanted.items():
        found = ["run-" + l["loss"] for l in seen.pop(line, [])]
        if not set(found) & set(rules):
            wrong.append("line %d: expected %s, found %s" % (line, " ".join(rules), found))
    for line, losses in seen.items():
        wrong += ["line %s: %s gave %s instead of %s" % (line, l["at"]["op"], l["got"], l["expected"]) for l in losses]
    coverage = [l["coverage"] for l in lines if "coverage" in l]
    if not coverage or coverage[0]["uncovered"] or not coverage[0]["ops"]:
        wrong.append("coverage: %s" % coverage)
    return wrong


def check_attention():
    """The formulas for fused attention, by what autograd makes of the plain one."""
    formulas = importlib.import_module("miscast_watcher.shadow.formulas")
    torch.manual_seed(0)
    q, k, v = (torch.randn(2, h, 5, 8, dtype=torch.float64, requires_grad=True) for h in (4, 2, 2))
    bias = torch.randn(2, 4, 5, 5, dtype=torch.float64)
    grad = torch.randn(2, 4, 5, 8, dtype=torch.float64)
    keep = torch.ones(5, 5, dtype=torch.bool).tril()
    wide = [t.repeat_interleave(2, 1) for t in (k, v)]
    scores = (q @ wide[0].transpose(-2, -1) * 0.3 + bias).masked_fill(~keep, float("-inf"))
    plain = scores.softmax(-1) @ wide[1]
    plain.backward(grad)
    given = {"query": q, "key": k, "value": v, "attn_bias": bias, "is_causal": True, "scale": 0.3, "grad_out": grad}
    made = formulas.attention(given, [plain]) + formulas.attention_backward(given, [q, k, v])
    same = [torch.allclose(a, b) for a, b in zip(made, (plain, q.grad, k.grad, v.grad))]
    dropped = formulas.attention(dict(given, dropout_p=0.5), [plain])
    return [] if all(same) and dropped is None else ["attention: %s %s" % (same, dropped)]


def main():
    sanitize = load()
    torch.set_num_threads(1)
    importlib.import_module("miscast_watcher.shadow")
    failed = 0
    for kind in ("lost", "right"):
        for name in sorted(os.listdir(os.path.join(HERE, kind))):
            program = os.path.join(HERE, kind, name)
            if not name.endswith(".py") or (WORDS and not any(w in program for w in WORDS)):
                continue
            wrong = check(sanitize, program)
            print("ok  " if not wrong else "BAD ", kind, name, "; ".join(wrong), flush=True)
            failed += bool(wrong)
    # Last: where there is a GPU, a process that ran backward cannot fork one that does.
    wrong = check_attention()
    print("BAD " if wrong else "ok  ", "formulas", "; ".join(wrong))
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
