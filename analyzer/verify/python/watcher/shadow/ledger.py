"""The shadow values of storages: for each element the value that it would have without rounding.

A shadow belongs to the storage, so views share it: element i of the shadow's storage is the shadow
of element i of the real one, and a view of either has the same sizes, strides and offset. An entry
lives as long as the storage; that is seen through weak references, which the storages of torch have.
"""

import torch

WIDEST = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.float64: torch.float64,
    torch.complex64: torch.complex128,
    torch.complex128: torch.complex128,
    torch.uint8: torch.int64,
    torch.int8: torch.int64,
    torch.int16: torch.int64,
    torch.int32: torch.int64,
    torch.int64: torch.int64,
}
NARROW = {torch.float16, torch.bfloat16}
for _name in ("float8_e4m3fn", "float8_e5m2"):
    if hasattr(torch, _name):
        WIDEST[getattr(torch, _name)] = torch.float64
        NARROW.add(getattr(torch, _name))
INTS = {d for d, w in WIDEST.items() if w is torch.int64}
SHADOWED = frozenset(WIDEST)
FLOATS = frozenset(SHADOWED - INTS)
HALF = frozenset((torch.float16, torch.bfloat16))
WIDE = frozenset((torch.float64, torch.int64, torch.complex128))

SWEEP_BYTES = 8 << 20  # of shadow values that were made since the last sweep
SWEEP_COUNT = 512  # entries

if hasattr(torch.Tensor, "untyped_storage"):
    storage_of = torch.Tensor.untyped_storage
else:
    storage_of = torch.Tensor._storage
UNTYPED = type(storage_of(torch.empty(0)))


class Entry:
    """What is known about one storage. Errors are relative to the largest element."""

    __slots__ = ("weak", "values", "dtype", "error", "scale", "writer", "since", "of_half", "broken",
                 "grown", "unchanged", "moved", "exposed", "made", "inexact")

    def __init__(self, weak):
        self.weak = weak
        self.values = None  # None: the real values are right
        self.dtype = None  # that the elements were read as
        self.error = 0.0  # of the last result written here
        self.scale = 0.0
        self.writer = None  # the site that wrote it
        self.since = None  # the site where values first were of this dtype
        self.of_half = False  # computed from values in f16 or bf16, or is
        self.broken = False  # some element became infinite or NaN that should not have
        self.grown = {}  # by site: what was added to the error there on the way
        self.unchanged = {}  # by site: updates in place in a row that changed little or nothing
        self.moved = False  # some update in place changed something
        self.exposed = False  # others can write to it: its real values count as right
        self.made = 0  # when it was made, as a number
        self.inexact = None  # a loss, if its elements become integers again

    def forget(self):
        """The real values are right again."""
        self.values = None
        self.error = 0.0
        self.broken = False
        self.unchanged = {}
        self.grown = {}

    def is_exact(self):
        return self.values is None or (self.error == 0.0 and not self.broken)

    def is_alive(self):
        return not UNTYPED._expired(self.weak)


STRIDED = torch.strided
PLAIN = {torch.Tensor: True, torch.nn.Parameter: True}  # by type


def is_plain(t):
    """Whether it has memory of its own that can be shadowed. A type with a dispatch of its own
    stands for other tensors."""
    kind = type(t)
    if kind not in PLAIN:
        PLAIN[kind] = kind.__torch_dispatch__ is torch.Tensor.__torch_dispatch__
    return PLAIN[kind] and t.layout is STRIDED and not t.is_meta


class Ledger:
    def __init__(self):
        self.entries = {}
        self.made = 0
        self.live = 0  # bytes of shadow values after the last sweep
        self.fresh = 0  # and since
        self.after = 0  # entries after the last sweep

    def find(self, t):
        return self.entries.get(storage_of(t)._cdata)

    def have(self, t):
        storage = storage_of(t)
        key = storage._cdata
        entry = self.entries.get(key)
        if entry is None:
            entry = self.entries[key] = Entry(storage._weak_ref())
            self.made += 1
            entry.made = self.made
        return entry

    # ---- values ---------------------------------------------------------------------------------

    def set_values(self, entry, values, dtype):
        entry.values = values
        entry.dtype = dtype
        self.fresh += values.numel() * values.element_size()
        if self.fresh > SWEEP_BYTES and self.fresh > self.live // 4 or \
                len(self.entries) > 2 * self.after + SWEEP_COUNT:
            self.sweep()

    def view(self, entry, t):
        """The shadow of t, which has values."""
        values = entry.values
        shape, stride, offset = t.shape, t.stride(), t.storage_offset()
        if values.shape == shape and values.stride() == stride and values.storage_offset() == offset:
            return values
        return values.as_strided(shape, stride, offset)

    def read(self, entry, t):
        """The shadow of an operand, which is not to be written to."""
        if entry.exposed:
            return t.to(WIDEST[t.dtype])
        if entry.values is None and t.dtype in WIDE:
            return t
        return self.write(entry, t)

    def write(self, entry, t):
        """The shadow of t; what is written there is seen by all of its views."""
        if entry.values is None or entry.dtype is not t.dtype:
            entry.forget()
            self.set_values(entry, widened(t), t.dtype)
        try:
            return self.view(entry, t)
        except RuntimeError:  # the storage has been resized
            entry.forget()
            self.set_values(entry, widened(t), t.dtype)
            return self.view(entry, t)

    def put(self, entry, t, wide, covers):
        """A result and its shadow, which may be used as it is; returns the shadow as t is seen."""
        if entry.exposed:
            entry.forget()
            return wide
        if covers and wide.stride() == t.stride() and \
                wide.numel() * wide.element_size() == storage_of(wide).nbytes():
            self.set_values(entry, wide, t.dtype)
            return wide
        if covers and t.storage_offset() == 0 and is_dense(t):
            same = torch.empty_strided(t.shape, t.stride(), dtype=wide.dtype, device=t.device)
            self.set_values(entry, same, t.dtype)
            return same.copy_(wide)
        return self.write(entry, t).copy_(wide)

    # ---- the end of storages --------------------------------------------------------------------

    def sweep(self):
        """Drops the entries of storages that are gone."""
        expired, live = UNTYPED._expired, 0
        for key, entry in list(self.entries.items()):
            if expired(entry.weak):
                del self.entries[key]
                UNTYPED._free_weak_ref(entry.weak)
                entry.values = None
            elif entry.values is not None:
                live += entry.values.numel() * 8
        self.live, self.fresh, self.after = live, 0, len(self.entries)


def is_dense(t):
    """Whether its elements fill their memory, each once."""
    expected = 1
    for stride, size in sorted(zip(t.stride(), t.shape)):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def widened(t):
    """All of its storage, in the widest dtype of its kind. A copy."""
    n = storage_of(t).nbytes() // t.element_size()
    wide = WIDEST[t.dtype]
    if t.numel() == n and t.storage_offset() == 0 and is_dense(t):
        return t.to(wide, copy=True)
    return t.as_strided((n,), (1,), 0).to(wide, copy=True)
