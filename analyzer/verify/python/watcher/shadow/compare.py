"""Results compared with their shadow: quickly for every result, and in detail for those that have to
be reported.
"""

import torch

from .ledger import INTS

INFINITY = float("inf")
MANY = 4
LARGEST_WHOLE = 2.0 ** 53


def largest(t):
    return torch.linalg.vector_norm(t, INFINITY)


def quick(real, wide):
    """The largest |real - wide| and the largest |wide|, as tensors: reading them would wait for the
    device. The first is NaN if some difference is not finite."""
    if wide.dtype is torch.int64:
        return (real.to(torch.int64) - wide).abs().max().double(), wide.abs().max().double()
    if real.dtype is wide.dtype or wide.is_cuda:
        difference = torch.sub(wide, real)
    else:  # in one kernel, but that is slow on the CPU
        difference = real.to(wide.dtype).sub_(wide)
    return largest(difference), largest(wide)


def quick_all(results):
    """The same of several results; those of an operation on lists in few kernels."""
    if len(results) >= MANY and hasattr(torch, "_foreach_norm") and \
            all(is_alike(r, results[0]) for r in results):
        real = torch.cat([r.real.reshape(-1) for r in results])
        wide = torch.cat([r.wide.reshape(-1) for r in results])
        sizes = [r.real.numel() for r in results]
        try:
            errors = torch._foreach_norm(list((wide - real).split(sizes)), INFINITY)
            return list(zip(errors, torch._foreach_norm(list(wide.split(sizes)), INFINITY)))
        except RuntimeError:  # this norm is newer
            pass
    return [quick(r.real, r.wide) for r in results]


def is_alike(a, b):
    return a.real.dtype is b.real.dtype and a.real.device == b.real.device and \
        a.wide.dtype is torch.float64


def quick_numbers(real, wide):
    """The same, as numbers."""
    if real.numel() == 1 and wide.dtype is torch.float64:
        expected = wide.item()
        return abs(real.item() - expected), abs(expected)
    error, scale = quick(real, wide)
    return error.item(), scale.item()


class Difference:
    """Errors are over elements that are finite in both. An element is broken if it is infinite or
    NaN and its shadow is not that."""

    __slots__ = ("error", "scale", "unequal", "broken", "differing", "worst", "real", "wide",
                 "integral", "is_uniform", "merged")

    def __init__(self, error=0.0, scale=0.0, unequal=False):
        self.error = error
        self.scale = scale
        self.unequal = unequal
        self.broken = 0
        self.differing = 0
        self.worst = -1  # an index in the order of the elements
        self.real = self.wide = 0  # the values there
        self.integral = True
        self.is_uniform = True
        self.merged = 0  # elements that equal the one before, and should not

    def relative(self):
        if self.error == 0:
            return 0.0
        return 1e300 if self.scale == 0 else self.error / self.scale


def settle(real, wide):
    """As quick(), of a result that has elements that are not finite. Shadow values that are infinite
    or NaN where the real ones are not become the real ones."""
    exact = real.to(wide.dtype)
    finite, wide_finite = torch.isfinite(exact), torch.isfinite(wide)
    lost = finite & ~wide_finite
    if bool(lost.any()):
        wide.copy_(torch.where(lost, exact, wide))
        wide_finite = wide_finite | finite
    both = finite & wide_finite
    zero = torch.zeros((), dtype=wide.dtype, device=wide.device)
    error = largest(torch.where(both, exact - wide, zero))
    scale = largest(torch.where(wide_finite, wide, zero))
    return Difference(float(error), float(scale), bool((wide_finite & ~finite).any()))


def explain(real, wide):
    """All of it, slowly."""
    if real.dtype in INTS:
        return explain_ints(real, wide)
    d = settle(real, wide)
    r, w = real.to(wide.dtype).reshape(-1), wide.reshape(-1)
    if w.is_complex():
        r, w = torch.view_as_real(r).reshape(-1), torch.view_as_real(w).reshape(-1)
    finite, wide_finite = torch.isfinite(r), torch.isfinite(w)
    same = (r == w) | (torch.isnan(r) & torch.isnan(w))
    broken = ~finite & wide_finite
    d.broken = int(broken.sum())
    d.differing = int((~same).sum())
    if d.broken:  # of several, the one that should be largest
        d.worst = int(torch.where(broken, w.abs(), -torch.ones_like(w)).argmax())
    elif d.error > 0:
        zero = torch.zeros((), dtype=w.dtype, device=w.device)
        d.worst = int(torch.where(finite & wide_finite, (r - w).abs(), zero).argmax())
    if d.worst >= 0:
        d.real, d.wide = float(r[d.worst]), float(w[d.worst])
    d.integral = bool(((w == w.round()) & (w.abs() <= LARGEST_WHOLE)).all())
    d.is_uniform = bool((w == w[0]).all())
    d.merged = int(((r[1:] == r[:-1]) & (w[1:] != w[:-1])).sum())
    return d


def explain_ints(real, wide):
    r, w = real.to(torch.int64).reshape(-1), wide.reshape(-1)
    off = (r - w).abs()
    d = Difference(float(off.max()), float(w.abs().max()))
    d.differing = int((off != 0).sum())
    d.unequal = d.differing > 0
    if d.differing:
        d.worst = int(off.argmax())
        d.real, d.wide = int(r[d.worst]), int(w[d.worst])
    return d
