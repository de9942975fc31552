"""Makes a Python wheel of an installation, so that `pip install` provides the miscast command.

    wheel.py PREFIX FOLDER

PREFIX is where `cmake --install` put it, FOLDER gets the wheel, whose name is printed. pip copies
the program to bin/ and the rest to share/ of an environment, where the program finds it as in any
other installation. What only C needs (the runtime, its headers, documents) is left out. The wheel is
reproducible: its time stamps are SOURCE_DATE_EPOCH.
"""
import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import time
import zipfile

KEPT = ("bin/miscast", "share/miscast/", "share/man/", "share/bash-completion/", "share/zsh/",
        "share/fish/")

METADATA = """\
Metadata-Version: 2.1
Name: miscast
Version: {version}
Summary: Finds tensors with the wrong dtype or device in PyTorch programs, and confirms it
License: {licence}
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Classifier: Topic :: Software Development :: Quality Assurance
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{description}"""

DESCRIPTION = """\
# miscast

miscast infers the dtype and device of every tensor in a PyTorch program without running it, reports
where they do not fit and where that began, and tries to confirm each finding by running it.

    miscast check train.py
    miscast verify train.py

`check` needs neither PyTorch nor Python; `verify` uses the PyTorch of the environment.
For C files, miscast also needs libclang, and to verify them its runtime: those are in the Debian
package and in a build from source.
"""


def glibc_of(program):
    """The oldest C library that has every symbol that the program needs."""
    text = subprocess.run(["objdump", "-T", program], check=True, capture_output=True, text=True)
    needed = re.findall(r"\(?GLIBC_(\d+)\.(\d+)", text.stdout)
    return max((int(major), int(minor)) for major, minor in needed)


def files_of(prefix):
    """Names below the prefix that go into the wheel, sorted."""
    for folder, folders, names in os.walk(prefix):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), prefix)
            if path.startswith(KEPT):
                yield path


class Wheel:
    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.records = []
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        self.date = time.gmtime(max(epoch, 315532800))[:6]  # the first that a zip file can have

    def add(self, name, content, mode=0o644):
        entry = zipfile.ZipInfo(name, self.date)
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}\n")

    def close(self, record):
        self.records.append(f"{record},,\n")
        self.add(record, "".join(self.records).encode())
        self.zip.close()


def main(prefix, folder):
    program = os.path.join(prefix, "bin/miscast")
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"\d+(\.\d+)+", said).group()
    tag = "py3-none-manylinux_{}_{}_{}".format(*glibc_of(program), platform.machine())
    name = f"miscast-{version}-{tag}.whl"
    os.makedirs(folder, exist_ok=True)
    part = os.path.join(folder, f".{name}.part")
    wheel = Wheel(part)
    for path in files_of(prefix):
        with open(os.path.join(prefix, path), "rb") as file:
            content = file.read()
        if path == "bin/miscast":
            wheel.add(f"miscast-{version}.data/scripts/miscast", content, 0o755)
        else:
            wheel.add(f"miscast-{version}.data/data/{path}", content)
    info = f"miscast-{version}.dist-info"
    with open(os.path.join(os.path.dirname(__file__), "../LICENSE"), encoding="utf-8") as file:
        licence = file.read()
    metadata = METADATA.format(version=version, licence=licence.split("\n", 1)[0],
                               description=DESCRIPTION)
    wheel.add(f"{info}/METADATA", metadata.encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: miscast\nRoot-Is-Purelib: false\n"
                               f"Tag: {tag}\n".encode())
    wheel.add(f"{info}/LICENSE", licence.encode())
    wheel.close(f"{info}/RECORD")
    os.replace(part, os.path.join(folder, name))
    print(os.path.join(folder, name))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
