"""What a call loses: it is made again with wider operands, and the two results are compared.

The plan names the places ("measures"), each with what is wider there:
    wide    floats in float64, integers in int64
    float   the same, and what would become an integer stays a float
    index   indices in int64
    quotient  the operands of a division
    repeat  an update, made many times from where it is, as it is and in float64
"""

import torch

from .tensors import NoFunction, dtype_name

MOST_ELEMENTS = 1 << 22
A_FEW, EVERY = 8, 500  # of the calls at a place, the first ones are measured, and some later ones
REPEATED = 500
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
INTEGERS = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
# Methods that are casts, and to what.
CASTS = {
    "half": torch.float16, "bfloat16": torch.bfloat16, "float": torch.float32,
    "double": torch.float64, "byte": torch.uint8, "char": torch.int8, "short": torch.int16,
    "int": torch.int32, "long": torch.int64,
}
INDEXED = ("index", "index_put_")
DIVISIONS = ("floor_divide", "floor_divide_")
COUNTS = ("add", "add_")  # of bools, as a sum


def is_measured(nth):
    """What adds up is lost only after a while."""
    return nth <= A_FEW or nth & (nth - 1) == 0 or nth % EVERY == 0


class Measures:
    def __init__(self, recorder, wanted):
        self.recorder = recorder
        self.wanted = {}  # by the end of the place: [line, column, how]
        self.lines = {}
        for m in wanted:
            end = m["file"], m["end_line"], m["end_column"]
            self.wanted.setdefault(end, []).append((m["line"], m["column"], m["how"]))
            for line in range(m["line"], m["end_line"] + 1):
                self.lines.setdefault((m["file"], line), m["how"])
        self.times = {}

    def how(self, frame):
        """How the call at a place is measured; None: it is not."""
        place = self.recorder.places.place_of(frame)
        if place.column < 0:
            return self.lines.get((place.file, place.line))
        for line, column, how in self.wanted.get(
                (place.file, place.end_line, place.end_column + 1), ()):
            if place.line > line or place.column + 1 == column:  # of a chain, the name of the call
                return how
        return None

    def is_next(self, frame):
        """Whether this call at the place is to be measured; counts it."""
        if not self.wanted or self.how(frame) is None:
            return False
        key = (id(frame.f_code), frame.f_lasti)
        seen = self.times[key] = self.times.get(key, 0) + 1
        return is_measured(seen)

    def begin(self, how, op, func, args, kwargs):
        """Before the call: everything that it may change is kept."""
        with NoFunction():
            try:
                return Again(how, op, func, args, kwargs)
            except Exception:  # what cannot be copied is not measured
                return None

    def end(self, again, frame, result):
        """After the call: makes it again, and reports the difference."""
        place = self.recorder.places.place_of(frame)
        self.recorder.quiet = True
        try:
            self.compare(again, place, result)
        except Exception:  # it is not the program's: nothing is measured
            pass
        finally:
            self.recorder.quiet = False

    def compare(self, again, place, result):
        with NoFunction():
            if again.how == "quotient":
                quotient = again.quotient()
                if quotient:
                    quotient.update(place.record())
                    self.recorder.send({"quotient": quotient})
                return
            for record in again.compare(result):
                record.update(place.record())
                self.recorder.send({"measure": record})


class Again:
    """A call that is to be made again."""

    def __init__(self, how, op, func, args, kwargs):
        self.how, self.op, self.func = how, op, func
        self.is_float = how == "float"
        self.target = args[0] if args else None  # a call without a result writes into it
        self.args = [self.kept(a) for a in args]
        self.kwargs = {k: self.kept(v) for k, v in kwargs.items()}
        if self.kwargs.get("device") is not None:
            self.kwargs["device"] = "cpu"
        self.random = torch.get_rng_state()

    def kept(self, value):
        if isinstance(value, torch.Tensor):
            if value.numel() > MOST_ELEMENTS:
                raise ValueError("too large")
            return value.detach().clone()
        if isinstance(value, (list, tuple)) and any(isinstance(v, torch.Tensor) for v in value):
            return type(value)(self.kept(v) for v in value)
        if isinstance(value, torch.device):
            return torch.device("cpu")  # where the data is, whatever the tensor says
        return value

    # ---- wider ----------------------------------------------------------------------------------

    def wide_dtype(self, dtype):
        if dtype in FLOATS:
            return torch.float64
        if dtype in INTEGERS:
            return torch.float64 if self.is_float else torch.int64
        return dtype

    def wide(self, value, position):
        if isinstance(value, torch.Tensor):
            is_index = self.op in INDEXED and position == 1
            if self.how == "index":
                return value.long() if value.dtype == torch.uint8 and position else value
            if value.dtype == torch.bool and self.op in COUNTS:
                return value.long()
            if is_index or value.dtype == torch.bool or value.is_complex():
                return value
            if value.dtype in INTEGERS and self.is_float and position:
                return value  # only what is written to becomes a float
            return value.to(self.wide_dtype(value.dtype))
        if isinstance(value, torch.dtype):
            return self.wide_dtype(value) if self.how != "index" else value
        if isinstance(value, (list, tuple)) and any(
                isinstance(v, (torch.Tensor, torch.dtype)) for v in value):
            return type(value)(self.wide(v, position) for v in value)
        return value

    def wide_call(self):
        if self.op in CASTS and len(self.args) == 1:
            return self.args[0].to(self.cast_to(CASTS[self.op]))
        if self.op in ("to", "type") and isinstance(self.args[0], torch.Tensor):
            said = [a for a in list(self.args[1:]) + list(self.kwargs.values())
                    if isinstance(a, torch.dtype)]
            if said:
                return self.args[0].to(self.cast_to(said[0]))
        if self.op == "bitwise_not" and is_mask(self.args[0]):
            return 1 - self.args[0].long()
        args = [self.wide(a, i) for i, a in enumerate(self.args)]
        kwargs = {k: self.wide(v, 1) for k, v in self.kwargs.items()}
        if self.is_float and (self.op in DIVISIONS or kwargs.pop("rounding_mode", None)):
            return torch.true_divide(as_float(args[0]), as_float(args[1]))
        has_tensor = any(isinstance(a, (torch.Tensor, list, tuple)) for a in args)
        if not has_tensor and "dtype" not in kwargs and self.how == "wide":
            kwargs["dtype"] = torch.float64
        return self.result_of(self.func(*args, **kwargs), args)

    def cast_to(self, dtype):
        """A cast loses what its operand has: a float stays one, unless wrapping is in question."""
        source = self.args[0].dtype
        if dtype in INTEGERS and source in FLOATS and not self.is_float:
            return torch.int64
        return torch.float64 if source in FLOATS or dtype in FLOATS else torch.int64

    def result_of(self, result, args):
        """What it has written, if it returns nothing."""
        if result is None and args and isinstance(args[0], torch.Tensor):
            return args[0]
        return result

    def repeated(self, args, kwargs):
        x = args[0]
        for _ in range(REPEATED):
            x = self.result_of(self.func(x, *args[1:], **kwargs), [x])
        return x

    def quotient(self):
        """The element of a division that loses most; None: it is no division of numbers."""
        if self.op not in DIVISIONS + ("div", "div_", "true_divide"):
            return None
        of, by = torch.broadcast_tensors(torch.as_tensor(as_float(self.args[0])),
                                         torch.as_tensor(as_float(self.args[1])))
        of, by = of.reshape(-1), by.reshape(-1)
        if not of.numel():
            return None
        lost = torch.where(by != 0, of / by - (of / by).trunc(), torch.zeros_like(of)).abs()
        worst = int(lost.argmax())
        return {"of": float(of[worst]), "by": float(by[worst])}

    # ---- compared -------------------------------------------------------------------------------

    def compare(self, result):
        got = self.target if result is None else result
        now = torch.get_rng_state()
        try:
            torch.set_rng_state(self.random)
            with torch.no_grad(), no_autocast():
                if self.how == "repeat":
                    if not (self.args and isinstance(self.args[0], torch.Tensor)):
                        return []
                    wide = self.repeated([self.wide(a, i) for i, a in enumerate(self.args)],
                                         {k: self.wide(v, 1) for k, v in self.kwargs.items()})
                    got = self.repeated(self.args, self.kwargs)
                else:
                    wide = self.wide_call()
        except Exception as error:
            first = first_tensor(got)
            return [] if first is None else [{"failed": str(error)[:300],
                                              "dtype": dtype_name(first.dtype)}]
        finally:
            torch.set_rng_state(now)
        pairs = zip(tensors_in(got), tensors_in(wide))
        return [d for d in (difference(g, w) for g, w in pairs) if d]


def no_autocast():
    from contextlib import ExitStack

    stack = ExitStack()
    for device in ("cpu", "cuda"):
        try:
            stack.enter_context(torch.autocast(device, enabled=False))
        except Exception:  # there is none for this device
            pass
    return stack


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return []


def first_tensor(value):
    found = tensors_in(value)
    return found[0] if found else None


def is_mask(x):
    """Whether integers stand for what is kept and what is not."""
    return x.dtype in INTEGERS and bool(((x == 0) | (x == 1)).all())


def as_float(x):
    return x.double() if isinstance(x, torch.Tensor) else float(x)


def number_text(x, dtype):
    x = float(x)
    if dtype in FLOATS or x != x or x in (float("inf"), float("-inf")) or x != int(x):
        return "%.6g" % x
    return "%d" % int(x)


def difference(got, wide):
    """The fields of a measurement; None: there is nothing to compare."""
    if got.shape != wide.shape or got.is_complex() or wide.is_complex() or not got.numel():
        return None
    if got.layout != torch.strided or wide.layout != torch.strided:
        return None
    if got.numel() > MOST_ELEMENTS:
        return None
    g, w = got.detach().double().reshape(-1), wide.detach().double().reshape(-1)
    rounded = wide.detach().to(got.dtype).double().reshape(-1)
    same = (rounded == g) | ((rounded != rounded) & (g != g))
    finite = torch.isfinite(g) & torch.isfinite(w)
    apart = torch.where(finite, (g - w).abs(), torch.zeros_like(g))
    broken = torch.isfinite(w) & ~torch.isfinite(g)
    worst = int(broken.double().argmax()) if bool(broken.any()) else int(apart.argmax())
    size = torch.where(torch.isfinite(w), w.abs(), torch.zeros_like(w))
    return {
        "dtype": dtype_name(got.dtype),
        "wide_dtype": dtype_name(wide.dtype),
        "elements": got.numel(),
        "differing": int((~same).sum()),
        "max_abs_difference": float(apart.max()),
        "max_abs_wide": float(size.max()),
        "inf": int(torch.isinf(g).sum()),
        "wide_inf": int(torch.isinf(w).sum()),
        "nan": int(torch.isnan(g).sum()),
        "wide_nan": int(torch.isnan(w).sum()),
        "worst_got": number_text(g[worst], got.dtype),
        "worst_wide": number_text(w[worst], wide.dtype),
    }
