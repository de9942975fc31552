"""Updates in place of narrow tensors: whether they changed anything. The criteria are those of
runtime/shadow/frame.c.
"""

import torch

from .compare import Difference, largest
from .judge import EPSILON
from .losses import Loss

AGAIN, NEVER = 8, 3
NUMBERS = 1e-7  # smaller changes f32 would lose, too

# Operations that change a tensor by an amount, rather than give it new values.
NAMES = frozenset(("add_", "sub_", "mul_", "div_", "lerp_", "addmm_", "addcmul_", "addcdiv_",
                   "baddbmm_", "addmv_", "addr_", "addbmm_", "index_add_", "scatter_add_"))


def is_update(name):
    return name in NAMES or name.startswith("_fused_") or (
        name.startswith("_foreach_") and name[9:] in NAMES)


class Update:
    """A tensor before its first write in a group."""

    __slots__ = ("entry", "real", "wide", "was", "was_wide", "site", "by_number")

    def __init__(self, entry, real, was, wide, site, by_number):
        self.entry = entry
        self.real = real
        self.was = was
        self.wide = wide
        self.was_wide = wide.clone()
        self.site = site
        self.by_number = by_number


def judge_update(u):
    """An update that changes nothing where it should, again and again, is lost; the first ones may
    only have been small, and a tensor that moved before may have converged."""
    entry, real, wide = u.entry, u.real, u.wide
    if entry.values is None or not real.numel():
        return None
    same = real == u.was
    if not bool(same.any()):
        entry.moved, entry.unchanged[u.site] = True, 0
        return None
    by = (wide - u.was_wide).abs()
    expected = (by > NUMBERS * u.was_wide.abs()) & torch.isfinite(by)
    lost = expected & same
    count, lost_count = int(expected.sum()), int(lost.sum())
    most = lost_count > 0 and lost_count >= count // 2
    again = entry.unchanged[u.site] = entry.unchanged.get(u.site, 0) + 1 if most else 0
    entry.moved = entry.moved or count > lost_count
    if not most:
        return None
    zero = torch.zeros((), dtype=wide.dtype, device=wide.device)
    off = torch.where(lost, (wide - real.to(wide.dtype)).abs(), zero).reshape(-1)
    worst = int(off.argmax())
    scale = float(largest(wide))
    matters = float(off[worst]) > 2 * EPSILON[real.dtype] * scale
    never = not entry.moved and again >= NEVER
    is_all = lost_count == count and not u.by_number
    if not (matters or never) or not (is_all or again >= AGAIN):
        return None
    shown = Difference()
    shown.worst, shown.differing = worst, lost_count
    shown.real, shown.wide = float(real.reshape(-1)[worst]), float(wide.reshape(-1)[worst])
    error = abs(shown.real - shown.wide) / abs(shown.wide) if shown.wide else 1.0
    loss = Loss("lost-update", u.site, real.dtype, tuple(real.shape), shown, error, error)
    loss.since = entry.since
    return loss
