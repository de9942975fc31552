"""The program's end of the event channel (runtime/trace/protocol.h). A message with the key waits
on a fixed descriptor; every record is one line of JSON, numbered and sealed.

The seal keeps out what the program writes by accident. It cannot keep out a program that looks for
the key: it is in the same interpreter (docs/security.md).
"""

import fcntl
import json
import os
import select
import signal
import socket
import struct
import threading
import zlib

DESCRIPTOR = 200
WORD = b"miscast2"
HELLO = struct.Struct("=8sQQQQ")  # word, key, wants, process
HEAD = struct.Struct("=QQQ")  # number, seal, process
WANTS_SHADOW = 1
WANTS_SHARED = 2
WANTS_DIGEST = 4
MASK = (1 << 64) - 1


def rounds(v0, v1, v2, v3, count):
    for _ in range(count):
        v0 = (v0 + v1) & MASK
        v2 = (v2 + v3) & MASK
        v1 = ((v1 << 13 | v1 >> 51) & MASK) ^ v0
        v3 = ((v3 << 16 | v3 >> 48) & MASK) ^ v2
        v0 = (v0 << 32 | v0 >> 32) & MASK
        v2 = (v2 + v1) & MASK
        v0 = (v0 + v3) & MASK
        v1 = ((v1 << 17 | v1 >> 47) & MASK) ^ v2
        v3 = ((v3 << 21 | v3 >> 43) & MASK) ^ v0
        v2 = (v2 << 32 | v2 >> 32) & MASK
    return v0, v1, v2, v3


def siphash(key, number, text):
    """SipHash-2-4 of a number and a text."""
    v = (
        key[0] ^ 0x736F6D6570736575,
        key[1] ^ 0x646F72616E646F6D,
        key[0] ^ 0x6C7967656E657261,
        key[1] ^ 0x7465646279746573,
    )
    size = len(text)
    whole = size // 8
    words = [number]
    words.extend(struct.unpack_from("<%dQ" % whole, text))
    tail = int.from_bytes(text[whole * 8:], "little")
    words.append(((size + 8) & 0xFF) << 56 | tail)
    for word in words:
        v0, v1, v2, v3 = rounds(v[0], v[1], v[2], v[3] ^ word, 2)
        v = (v0 ^ word, v1, v2, v3)
    v = rounds(v[0], v[1], v[2] ^ 0xFF, v[3], 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


class Channel:
    """Sends records. A child that was forked sends nothing."""

    def __init__(self, hello):
        self.key = (hello[1], hello[2])
        self.wants = hello[3]
        self.process = hello[4]
        self.number = 0
        self.owner = os.getpid()
        self.lock = threading.RLock()

    @property
    def wants_shadow(self):
        return bool(self.wants & WANTS_SHADOW)

    def send(self, record):
        """Sends a record, which is a dictionary. Whoever cannot send does not go on: what it did
        later would be missing."""
        line = json.dumps(record, separators=(",", ":"), ensure_ascii=True).encode() + b"\n"
        if os.getpid() != self.owner:
            return
        with self.lock:
            self.number += 1
            sealed = line
            if self.wants & WANTS_DIGEST:
                sealed = zlib.crc32(line).to_bytes(8, "little")
            seal = siphash(self.key, self.number, sealed)
            if not write(HEAD.pack(self.number, seal, self.process) + line):
                os.kill(self.owner, signal.SIGKILL)


def write(message):
    while True:
        try:
            return os.write(DESCRIPTOR, message) == len(message)
        except BlockingIOError:
            select.select([], [DESCRIPTOR], [])
        except OSError:
            return False


def open_channel(is_server=False):
    """The channel that miscast left; None: miscast did not start this process."""
    try:
        copy = socket.socket(fileno=os.dup(DESCRIPTOR))
    except OSError:
        return None
    with copy:
        if copy.type & ~(socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC) != socket.SOCK_SEQPACKET:
            return None
        try:
            message = os.read(DESCRIPTOR, HELLO.size)
        except OSError:
            return None
    if len(message) != HELLO.size or message[:8] != WORD:
        return None
    channel = Channel(HELLO.unpack(message))
    if not channel.wants & WANTS_SHARED:
        fcntl.fcntl(DESCRIPTOR, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
        if not is_server:
            fcntl.fcntl(DESCRIPTOR, fcntl.F_SETFL, 0)
    return channel
