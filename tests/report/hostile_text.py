#!/usr/bin/env python3
"""Checks that hostile text in the input never reaches the output of miscast.

File names, source, macros, packs, configurations, baselines, commands of a database and compiler
messages contain terminal escapes, control characters in UTF-8 and as raw bytes, line ends of all
kinds, bidirectional marks, characters that XML does not allow, and commands of build servers. All
output must be UTF-8 without any of them.

    hostile_text.py PROGRAM INCLUDE
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

program, include = sys.argv[1:3]

ESC = b"\x1b[31m\x1b]0;t\x07"
C1 = "\u009b31m\u0085".encode()
LINES = "\u2028\u2029".encode()
BIDI = "\u202e\u2066\u2069\u200f\u061c".encode()
NONE = "\ufffe\uffff\U0001fffe".encode()
LONE = b"\xed\xa0\x80"  # half of a pair, as if it were a letter
RAW = b"\xff\x9b\xc0\xaf"
MARKUP = b"<b>&]]>%0A"
COMMAND = b"##[group]##vso[task]::error::"
ALL = ESC + C1 + LINES + BIDI + NONE + LONE + RAW + MARKUP + COMMAND
NAME = b"::add-mask::" + ALL.replace(b"/", b"") + b"\n::error::\r.c"
UTF8 = ESC + C1 + LINES + BIDI + NONE + b"##[group]::error::"  # where only UTF-8 is taken

FORBIDDEN = (
    set(range(0x20)) - {0x0A}
    | set(range(0x7F, 0xA0))
    | {0x061C, 0x200E, 0x200F, 0xFFFE, 0xFFFF, 0x1FFFE}
    | set(range(0x2028, 0x202F))
    | set(range(0x2066, 0x206A))
    | set(range(0xD800, 0xE000))
)
GITHUB = (b"::error file=", b"::warning file=", b"::notice file=")
failures = []


def fail(what, why):
    failures.append(f"{what}: {why}")


def check_bytes(what, data):
    """What may go to a terminal, and into the log of a build server."""
    try:
        text = data.decode()
    except UnicodeDecodeError as e:
        fail(what, f"not UTF-8: {e}: {data[max(0, e.start - 40):e.start + 20]!r}")
        return
    for at, letter in enumerate(text):
        if ord(letter) in FORBIDDEN:
            fail(what, f"U+{ord(letter):04X} in {text[max(0, at - 60):at + 20]!r}")
            return
    for line in data.split(b"\n"):
        begins = line.lstrip()
        if begins.startswith(b"::") and not begins.startswith(GITHUB):
            fail(what, f"a command: {line!r}")
        if (b"##[" in line or b"##vso[" in line) and not begins.startswith(b"::"):
            fail(what, f"a command: {line!r}")


def run(*arguments, text=None, ends=(0, 1, 2, 3)):
    """What it prints is looked at; standard output comes back."""
    what = b" ".join(a if isinstance(a, bytes) else a.encode() for a in arguments)
    what = repr(what)[:90]
    r = subprocess.run([program, *arguments], input=text, capture_output=True, timeout=60)
    if r.returncode not in ends:
        fail(what, f"ends with {r.returncode}: {r.stderr[-300:]!r}")
    check_bytes(what + " stdout", r.stdout)
    check_bytes(what + " stderr", r.stderr)
    return r.stdout


def put(path, data):
    with open(path, "wb") as f:
        f.write(data)


SOURCE = b"""#include <miscast/tensor.h>
#include <string.h>
mc_tensor *load(const char *name);
#define MACRO(x) mc_matmul(x, load("ALL"))
int main(int argc, char **argv)
{
    mc_tensor *gr\xc3\xb6\xc3\x9fe = mc_randn(mc_shape(4, 4)); /* ALL */
    mc_tensor *\\u00e9 = mc_half(gr\xc3\xb6\xc3\x9fe);
    if (argc > 1 && !strcmp(argv[1], "ALL"))
        gr\xc3\xb6\xc3\x9fe = mc_float(\\u00e9); /* ALL */
    mc_print(mc_matmul(gr\xc3\xb6\xc3\x9fe, \\u00e9)); /* ALL */
    mc_print(mc_matmul(mc_to_dtype(gr\xc3\xb6\xc3\x9fe, "ALL"[0] ? MC_F64 : MC_F64), \\u00e9));
    mc_half(gr\xc3\xb6\xc3\x9fe); // miscast: ignore[ALL]
    MC_REVEAL(gr\xc3\xb6\xc3\x9fe);
    return 0;
}
void chosen(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    if (argc > 1 && !strcmp(argv[1], "LINK"))
        x = mc_half(x);
    mc_print(mc_matmul(x, mc_randn(mc_shape(4, 4))));
}
void called(mc_tensor *x)
{
    if (strcmp("ALL", "a"))
        mc_print(mc_matmul(x, mc_randn(mc_shape(4, 4))));
}
"""


def source():
    """A comment must not end, nor a string."""
    hostile = ALL.replace(b"\n", b"").replace(b"\r", b"")
    return SOURCE.replace(b"ALL", hostile).replace(b"LINK", b"[a](http://b)")


def reports(name):
    for form in "text concise json sarif github junit".split():
        printed = run("check", "--format", form, name, ends=(1,))
        if not printed:
            fail(form, "nothing is printed")
        if form == "json":
            json.loads(printed)
        if form == "sarif" and any("](" in t for t in strings(json.loads(printed)["runs"][0]["results"])):
            fail(form, "a link, which viewers make of [text](target)")
        if form == "junit":
            xml.fromstring(printed)
    os.environ["FORCE_COLOR"] = "1"
    painted = subprocess.run([program, "check", name], capture_output=True, check=False).stdout
    check_bytes("colours", painted.replace(b"\x1b[", b"").replace(b"\x1b", b"?"))
    for part in painted.split(b"\x1b[")[1:]:
        if part.split(b"m")[0] not in (b"0", b"1", b"2", b"31", b"35", b"36"):
            fail("colours", f"an escape of others: {part[:20]!r}")
    del os.environ["FORCE_COLOR"]
    run("report", "-o", "page", name, ends=(1,))
    check_bytes("page", open("page/index.html", "rb").read())
    if b"<b>" in open("page/index.html", "rb").read():
        fail("page", "markup of others")


def commands(name):
    place = name + b":11:20"
    run("types", name, ends=(0,))
    run("trace", place)
    run("trace", name + b":1:1")
    run("trace", name + b":x:" + ALL)
    run("contracts", name, ends=(0,))
    run("ir", name, ends=(0,))
    run("graph", name)
    run("graph", "--function", "main", name, ends=(0,))
    run("graph", "--function", ALL, name)
    for picture in ("a.svg", "a.dot"):
        run("graph", "--function", "main", "-o", picture, name, ends=(0,))
        check_bytes(picture, open(picture, "rb").read())
    xml.parse("a.svg")
    run("history", ends=(0,))
    json.loads(run("history", "--json", ends=(0,)))
    run("config", name)
    run("doctor", name)
    run("verify", "--timeout", "5", "--format", "text", name)
    run("summarize", name, "-o", b"s" + ALL.replace(b"/", b"") + b".mcs")
    run("link", b"s" + ALL.replace(b"/", b"") + b".mcs")
    run("baseline", "write", name, ends=(0,))
    run("baseline", "show", name, ends=(0,))
    run("check", "--baseline", ".miscast-baseline.json", name)
    run("check", "--fix", "--format", "concise", name)
    run("check", "--stdin-filename", name, "--format", "concise", "-", text=source())


def errors(name):
    """What is wrong is said with the words that are wrong."""
    for arguments in (
        (ALL,), ("check", b"--" + ALL), ("explain", ALL), ("rules", ALL), ("help", ALL),
        ("check", ALL), ("check", "--select", ALL), ("check", "--format", ALL, name),
        ("check", "--format", b"json=" + ALL + b"/x", name), ("check", "--pack", ALL, name),
        ("check", "--config", ALL, name), ("check", "--baseline", ALL, name),
        ("check", "--assume", ALL, name), ("check", "--assume", b"x=" + ALL, name), ("check", "-p", ALL, name),
        ("check", "--fail-on", ALL, name), ("verify", ALL + b":1"), ("link", ALL),
        ("diff", ALL), ("hook", ALL), ("graph", "-o", ALL, name), ("check", "-j", ALL),
        ("report", "-o", ALL + b"/x", name), ("completion", ALL), ("clean", ALL),
    ):
        run(*arguments, ends=(0, 1, 2))
    put("broken.c", b"#error " + ALL.replace(b"\n", b"") + b"\nint " + ALL.replace(b"\n", b"") + b";\n")
    for form in "text json sarif github junit".split():
        run("check", "--format", form, "broken.c", ends=(3,))
    put("included.c", b'#include "' + ALL.replace(b"\n", b"") + b'"\n')
    run("check", "included.c", ends=(3,))
    quoted = json.dumps(UTF8.decode(), ensure_ascii=True).encode()
    for text in (quoted + b": 1\n", b"select: [" + quoted + b"]\n", b"packs: [" + quoted + b"]\n",
                 b"fail-on: " + quoted + b"\n", b"format: [" + quoted + b"]\n", ALL, b"a: [\x1b\n"):
        put("other.yaml", text)
        run("check", "--config", "other.yaml", name, ends=(0, 1, 2))
        put(b"pack" + ESC + b".yaml", text)
        run("check", "--pack", b"pack" + ESC + b".yaml", name)
    put("base.json", b'{"version": 1, "findings": [{"rule": ' + quoted + b"}]}")
    run("check", "--baseline", "base.json", name)
    run("baseline", "show", "--baseline", "base.json", name)


def database():
    """Commands that a repository brings along."""
    hostile = UTF8.decode()
    os.mkdir("built")
    put("built/main.c", b"#include <miscast/tensor.h>\nint main(void) { mc_half(mc_ones(mc_shape(2))); return 0; }\n")
    entry = {"directory": os.getcwd() + "/built", "file": "main.c",
             "arguments": ["cc", "-I" + include, "-DX=" + hostile, "-f" + hostile, "-c", "main.c"]}
    gone = {"directory": os.getcwd() + "/built", "file": hostile + ".c", "arguments": ["cc", hostile + ".c"]}
    put("built/compile_commands.json", json.dumps([entry, gone]).encode())
    for arguments in (("check", "built"), ("check", "--format", "json", "built"), ("doctor", "built/main.c"),
                      ("check", "--format", "junit", "built"), ("types", "built/main.c")):
        run(*arguments)
    put("built/compile_commands.json", b'[{"directory": "' + ALL)
    run("check", "built")
    run("doctor", "built/main.c")


def server(name):
    """An editor shows what it is told."""
    uri = "file://" + "/".join("".join(f"%{b:02X}" for b in part) for part in (os.getcwdb() + b"/" + name).split(b"/"))

    def message(method, params, number=None):
        body = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            body["id"] = number
        data = json.dumps(body).encode()
        return b"Content-Length: %d\r\n\r\n" % len(data) + data

    def wait(p, wanted):
        """Looks at what comes, until that does."""
        while True:
            length = int(p.stdout.readline().split(b":")[1])
            p.stdout.readline()
            body = p.stdout.read(length)
            for text in strings(json.loads(body)):
                check_bytes("lsp", text.encode(errors="surrogatepass"))
            if wanted in body:
                return body

    with subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as p:
        def send(*what):
            p.stdin.write(message(*what))
            p.stdin.flush()

        send("initialize", {"processId": None, "rootUri": None, "capabilities": {
            "textDocument": {"publishDiagnostics": {"relatedInformation": True}}}}, 1)
        send("initialized", {})
        send("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "c", "version": 1, "text": source().decode(errors="replace")}})
        if b"matmul" not in wait(p, b"publishDiagnostics"):
            fail("lsp", "nothing is told")
        at = {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 24}}
        send("textDocument/hover", at, 2)
        wait(p, b'"id":2')
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}
        send("textDocument/codeAction", {**at, "range": whole, "context": {"diagnostics": []}}, 3)
        send("workspace/executeCommand", {"command": UTF8.decode()}, 4)
        send(UTF8.decode(), {}, 5)
        wait(p, b'"id":5')
        send("shutdown", None, 6)
        send("exit", None)
        _, told = p.communicate(timeout=60)
        check_bytes("lsp stderr", told)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for v in value.values() if isinstance(value, dict) else value:
            yield from strings(v)


signal.alarm(60)  # nothing that is waited for takes as long
os.environ.pop("FORCE_COLOR", None)
os.environ.pop("MISCAST_PACKS", None)
os.environ.update(NO_COLOR="", ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    put(NAME, source())
    for part in (reports, commands, errors, server):
        part(NAME)
    database()
for failure in failures:
    print(failure, file=sys.stderr)
sys.exit(1 if failures else 0)
