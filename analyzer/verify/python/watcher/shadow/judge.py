"""Which differences between results and their shadow are losses, of which kind, and whether they
arose here. The criteria are those of runtime/shadow/judge.c. An error is relative to the largest
element of the result: an element close to zero may be wrong altogether without harm.
"""

import math

import torch

from .compare import Difference, explain, largest, settle
from .ledger import FLOATS, HALF, INTS, WIDEST
from .losses import Loss

GROWN = 3
OFTEN = 16
CONVERSIONS = ("copy_", "to", "type_as", "half", "float", "bfloat16", "double")
COPIES = ("cat", "stack", "clone", "_to_copy", "index", "index_select", "gather", "where", "copy_")
COUNTING = ("arange", "add_", "add", "sub_", "sub")
SUMS = frozenset((
    "sum", "mean", "add", "sub", "rsub", "add_", "sub_", "mm", "bmm", "addmm", "baddbmm", "mv", "dot",
    "addmv", "convolution", "convolution_backward", "var", "std", "var_mean", "std_mean", "cumsum",
    "logsumexp", "native_layer_norm", "native_layer_norm_backward", "native_group_norm",
    "native_group_norm_backward", "native_batch_norm", "native_batch_norm_backward", "index_add",
    "cudnn_batch_norm", "cudnn_batch_norm_backward", "embedding_dense_backward", "lerp", "lerp_",
    "_softmax_backward_data", "_log_softmax_backward_data", "index_put_", "scatter_add", "addcmul",
    "addcmul_", "index_add_", "scatter_add_", "linalg_cross", "_fft_r2c", "_fft_c2r", "_fft_c2c",
    "_scaled_dot_product_flash_attention_backward", "mse_loss_backward", "vdot", "addbmm", "addr"))
PRODUCTS = frozenset(("mm", "bmm", "addmm", "baddbmm", "mv", "addmv", "dot", "addbmm"))
LOGARITHMS = frozenset(("log", "log2", "log10", "log_", "logit", "xlogy"))
EPSILON = {d: torch.finfo(d).eps for d in FLOATS if not d.is_complex}
EPSILON[torch.complex64] = EPSILON[torch.float32]
EPSILON[torch.complex128] = EPSILON[torch.float64]


class Result:
    """A tensor that an operation made or wrote to."""

    __slots__ = ("real", "wide", "entry", "total", "covers")

    def __init__(self, real, wide, entry, covers):
        self.real = real
        self.wide = wide
        self.entry = entry
        self.covers = covers  # it is all of its storage
        self.total = None


class Operand:
    """The state of an operand before the operation."""

    __slots__ = ("entry", "real", "dtype", "numel", "error", "broken", "of_half", "grown")

    def __init__(self, entry, real):
        self.entry = entry
        self.real = real
        self.dtype = real.dtype
        self.numel = real.numel()

    def look(self):
        self.error = self.entry.error
        self.broken = self.entry.broken
        self.of_half = self.entry.of_half
        self.grown = self.entry.grown


class Judge:
    def __init__(self, threshold):
        self.threshold = threshold
        self.seen = {}  # by site and operation: how often it was explained, the error, the loss

    def limit(self, dtype):
        return max(self.threshold, 4 * EPSILON[dtype])

    def accumulated_limit(self, dtype):
        """Rounding that adds up is nobody's mistake until it is large."""
        return max(5 * self.threshold, 16 * EPSILON[dtype])

    def cancelled_limit(self, dtype):
        """In f32, a difference that leaves 1% of its operands' rounding is what a converged loss
        looks like."""
        return self.limit(dtype) if dtype in HALF else self.accumulated_limit(dtype)

    # ---- one operation --------------------------------------------------------------------------

    def judge(self, p, numbers):
        """p: what ran (see pass_.py). numbers: for each result its error and scale."""
        p.look()
        for result, (error, scale) in zip(p.results, numbers):
            if math.isfinite(error):
                unequal = error != 0 and result.real.dtype in INTS
                result.total = Difference(error, scale, unequal)
            else:
                result.total = settle(result.real, result.wide)
        doubtful = [r for r in p.results if self.is_suspicious(p, r) and not self.is_usual(p, r)]
        if not doubtful:
            for result in p.results:
                self.remember(p, result)
            return
        local = p.again()
        for i, result in enumerate(p.results):
            if local is not None and local[i] is not None and result in doubtful:
                before = len(p.lost)
                self.judge_result(p, result, local[i])
                self.note_usual(p, result, p.lost[-1] if len(p.lost) > before else None)
            else:
                self.remember(p, result)

    # To explain a result takes long. Where that has been done often, only an error is explained that
    # is larger than those before.

    def is_usual(self, p, r):
        seen = self.seen.get((p.site, p.plan.name))
        if seen is None or seen[0] < OFTEN or r.total.unequal or may_be_inexact(r) or \
                r.total.relative() > 1.5 * seen[1]:
            return False
        if seen[2] is not None:
            p.lost.append(seen[2])
        return True

    def note_usual(self, p, r, loss):
        seen = self.seen.setdefault((p.site, p.plan.name), [0, 0.0, None])
        kind = loss.kind if loss is not None else None
        same = kind == (seen[2].kind if seen[2] is not None else None)
        seen[0] = seen[0] + 1 if same else 1
        seen[1], seen[2] = max(seen[1], r.total.relative()), loss

    def is_suspicious(self, p, r):
        d = r.total
        if d.unequal or may_be_inexact(r) or is_running_sum(p, r):
            return True
        if r.real.dtype in INTS:
            return False
        error = d.relative()
        if not error > self.limit(r.real.dtype):
            return False
        growth = error - p.error_before()
        return growth >= error / 2 or (error > self.accumulated_limit(r.real.dtype) and
                                       grown_before(p, r) >= error / 2)

    def remember(self, p, r):
        """The history of a result is that of its worst operand, and what was added here."""
        entry, worst, d = r.entry, p.worst, r.total
        entry.inexact = next((o.entry.inexact for o in p.operands if o.entry.inexact is not None),
                             None) if p.plan.name in COPIES else None
        error = d.relative()
        if worst is None:
            entry.grown = {}
        elif worst.entry is not entry:
            entry.grown = dict(worst.grown)
        growth = error - p.error_before()
        if growth > 0 and r.real.dtype in FLOATS:
            # more than that is not rounding, but an error that was there before
            grow(entry, p.site, min(growth, 4 * EPSILON[r.real.dtype]))
        is_half = r.real.dtype in HALF or p.of_half
        broken = p.broken_before and d.unequal
        if r.covers:
            entry.of_half, entry.error, entry.scale, entry.broken = is_half, error, d.scale, broken
        else:
            entry.of_half = entry.of_half or is_half
            entry.error = max(error, entry.error)
            entry.scale = max(d.scale, entry.scale)
            entry.broken = entry.broken or broken
        entry.writer = p.site

    def judge_result(self, p, r, local_values):
        local = explain(r.real, local_values)
        total = r.total = explain(r.real, r.wide)
        self.remember(p, r)
        if r.real.dtype in INTS:
            if local.differing:
                self.lose(p, r, "wrap", local, local.relative())
        elif total.broken:
            self.judge_broken(p, r, total, local)
        elif is_inexact(p, r, local) and is_inexact(p, r, total):
            self.lose_whole(p, r, total, local)
        elif is_running_sum(p, r) and local.merged > r.real.numel() / 4:
            local.differing = local.merged
            self.lose(p, r, "rounding", local, local.relative())
        else:
            self.judge_error(p, r, total, local)

    def judge_broken(self, p, r, total, local):
        shown = local if local.broken else total
        r.entry.broken = True
        if p.broken_before:
            return
        shown.differing = shown.broken
        here = local.broken > 0
        kind = "overflow" if here and math.isinf(shown.real) else "not-finite"
        self.lose(p, r, kind, shown, 1.0 if here else 0.0)

    def judge_error(self, p, r, total, local):
        dtype = r.real.dtype
        error, introduced, before = total.relative(), local.relative(), p.error_before()
        growth, usual = error - before, max(before, EPSILON[dtype])
        grown = r.entry.grown.get(p.site, 0.0)
        if p.broken_before:  # something infinite was divided by, or compared with
            r.entry.broken = True
        elif introduced > self.limit(dtype):
            if is_rounded_sum(p, r, local):
                return
            underflow = local.real == 0 and local.wide != 0
            self.lose(p, r, "underflow" if underflow else "rounding", local, introduced)
        elif error > self.accumulated_limit(dtype) and grown >= error / 2 and growth > 0 and \
                introduced >= growth / 2:
            self.lose(p, r, "accumulated", total, min(error, grown))
        elif error > self.cancelled_limit(dtype) and error >= 32 * usual and \
                not p.by_element and not is_fine_gradient(p, r) and not is_noise(p, r, total):
            self.lose(p, r, "cancellation", total, introduced)

    def lose(self, p, r, kind, shown, introduced):
        total = r.total.relative()
        loss = Loss(kind, p.site, r.real.dtype, tuple(r.real.shape), shown, introduced, total)
        loss.entry = r.entry
        loss.since = r.entry.since
        if introduced < total and p.worst is not None and p.worst.error > 0:
            loss.origin = p.worst.entry.writer
        p.lost.append(loss)

    def lose_whole(self, p, r, total, local):
        """Large integers that became floats are amounts, rounded like any other, unless they become
        integers again; but in half there are few that can be amounts."""
        self.lose(p, r, "inexact-integer", total, local.relative())
        if r.real.dtype not in HALF:
            r.entry.inexact = p.lost.pop()

    # ---- floats that become integers ------------------------------------------------------------

    def judge_cast(self, p, source, result, implicit):
        """source: real floats. implicit: a fraction is lost, too; the tensor exists, and nothing
        says that it is of integers."""
        entry = p.ledger.find(source)
        if entry is not None and entry.inexact is not None:
            p.lost.append(entry.inexact)
            entry.inexact = None
        exact = source.to(torch.float64)
        info = torch.iinfo(result.dtype)
        low, high = float(info.min), float(info.max)
        bad = ~((exact >= low) & (exact <= high))
        wraps = bool(bad.any())
        if implicit and not wraps:
            bad = exact != exact.trunc()
        count = int(bad.sum())
        if not count:
            return
        shown = Difference()
        shown.worst = int(bad.reshape(-1).to(torch.uint8).argmax())
        shown.differing = count
        shown.wide = float(exact.reshape(-1)[shown.worst])
        shown.real = float(result.expand(exact.shape).reshape(-1)[shown.worst])
        kind = "truncated" if not wraps else "wrap" if math.isfinite(shown.wide) else "overflow"
        self.lose_ints(p, result, kind, shown)

    def judge_number(self, p, value, result):
        """A number is written to integers."""
        info = torch.iinfo(result.dtype)
        fits = info.min <= value <= info.max
        if not result.numel() or (fits and value == math.floor(value)):
            return
        shown = Difference()
        shown.worst = 0
        shown.differing = result.numel()
        shown.wide = float(value)
        shown.real = float(math.trunc(value)) if fits else float(result.reshape(-1)[0])
        kind = "truncated" if fits else "wrap" if math.isfinite(value) else "overflow"
        self.lose_ints(p, result, kind, shown)

    def lose_ints(self, p, result, kind, shown):
        loss = Loss(kind, p.site, result.dtype, tuple(result.shape), shown, 1.0, 1.0)
        loss.entry = p.ledger.have(result)
        loss.since = loss.entry.since
        p.lost.append(loss)


# ---- results --------------------------------------------------------------------------------------


def may_be_inexact(r):
    d, dtype = r.total, r.real.dtype
    return d.error >= 0.5 and dtype in FLOATS and d.scale * EPSILON[dtype] > 2 and \
        d.scale <= 2.0 ** 53


def is_running_sum(p, r):
    """Running sums are compared with each other: how much is added from one to the next."""
    return p.site.op == "cumsum" and r.total.error > 0 and r.real.dtype in HALF


def is_inexact(p, r, d):
    """Numbers that count or identify something are not negative, are not one constant, and no mean:
    what is added as a mask, or a factor, is rounded like any other value."""
    op = p.site.op
    constant = op.startswith(("full", "fill")) or (
        d.is_uniform and r.real.numel() > 1 and op in CONVERSIONS and
        not any(o.dtype in INTS for o in p.operands))
    counts = r.real.dtype in HALF or op in COUNTING or any(o.dtype in INTS for o in p.operands)
    return d.integral and d.differing > 0 and not d.broken and d.error >= 0.5 and d.wide > 0 and \
        not constant and counts and op != "mean"


def is_fine_gradient(p, r):
    """In f32, a gradient that is almost 0 is the difference of others."""
    return p.site.backward and r.real.dtype not in HALF


def grown_before(p, r):
    """What the site added before: to the tensor itself, or to what it is computed from anew each
    time."""
    own = r.entry.grown.get(p.site, 0.0)
    return max(own, p.worst.grown.get(p.site, 0.0)) if p.worst is not None else own


def grow(entry, site, by):
    grown = entry.grown
    if site in grown or len(grown) < GROWN:
        grown[site] = grown.get(site, 0.0) + by
        return
    least = min(grown, key=grown.get)
    if by > grown[least]:
        del grown[least]
        grown[site] = by


def is_of_half(p):
    """What was computed in f16 or bf16 is off by no more than these round; more is a loss of its
    own."""
    error = p.error_before()
    return error < 2.0 ** -5 and (error > 2.0 ** -14 or p.of_half)


def is_of_several(p, r):
    """Whether it is computed from several tensors, or several elements of one; or in a wider dtype
    from one in half and a number, such as the residual of a constant."""
    reduces = any(o.numel > r.real.numel() for o in p.operands)
    is_residual = p.is_pair and r.real.dtype not in HALF and p.of_half
    return len(p.operands) > 1 or reduces or is_residual


def scale_of(p):
    """The largest element of the operands."""
    scale = 0.0
    for o in p.operands:
        if o.dtype in FLOATS and o.numel:
            found = float(largest(p.before(o.real).to(WIDEST[o.dtype])))
            scale = max(scale, found if math.isfinite(found) else 0.0)
    return scale


def terms_of(p, r):
    """How many numbers are added up for one element of the result."""
    most = max((o.numel for o in p.operands), default=1)
    if p.plan.name in PRODUCTS:
        matrix = p.args[-2] if isinstance(p.args[-2], torch.Tensor) else p.args[0]
        return max(matrix.shape[-1] if matrix.dim() else 1, 1)
    return max(most / max(r.real.numel(), 1), 1)


def is_rounded_sum(p, r, d):
    """A sum whose terms cancel is wrong by what rounds them: in f32, what is left of a gradient that
    should be 0. Sums in half are computed in f32, and rounded once."""
    if p.plan.name not in SUMS or r.real.dtype in HALF:
        return False
    return d.error <= 32 * EPSILON[r.real.dtype] * scale_of(p) * math.sqrt(terms_of(p, r))


def is_noise(p, r, total):
    """A sum that is all rounding error: nothing of this size can be expected to come out right. Nor
    can small differences between tensors computed in half, such as residuals once a model fits; nor
    the logarithm of what is almost 0 in half."""
    unit = EPSILON[r.real.dtype]
    times = 2 if r.real.dtype in HALF else 16
    scale = scale_of(p)
    rounding = 32 * unit * scale * math.sqrt(terms_of(p, r))
    is_rounding = is_of_half(p) or total.error <= rounding
    is_logarithm = p.plan.name in LOGARITHMS and is_of_half(p)
    return total.scale <= times * unit * scale or is_logarithm or \
        (is_rounding and is_of_several(p, r))
