import os.path as p
from math import floor as fl, pi


def compare(a, b, c):
    return a < b < c, a < b > c, a == b == c, a is b, a is not b, a != b


def seen(v, log):
    log.append(v)
    return v


def logic():
    log = []
    out = [seen(0, log) or seen(2, log), seen(1, log) and seen(0, log) and seen(9, log),
           not seen(0, log), seen(3, log) if seen(0, log) else seen(4, log),
           seen(5, log) < seen(4, log) < seen(6, log)]
    return out, log


def loops(n):
    out = []
    for i, (a, *b) in enumerate([(1, 2, 3), (4,), (5, 6)]):
        if i == n:
            break
        out.append((i, a, b))
    else:
        out.append("all")
    k = 0
    while k < 5:
        k += 1
        if k % 2:
            continue
        out.append(k)
    else:
        out.append("while")
    return out


def unpacks():
    a, b = b, c = 1, 2
    (d, [e, *f]), g = (3, "xyz"), {}
    g["k"] = h = [4]
    h += [5]
    x = y = []
    x.append(1)
    *i, j = range(4)
    try:
        m, n = 1, 2, 3
    except ValueError:
        m = "too many"
    return a, b, c, d, e, f, g, h, y, i, j, m


def evaluated_once():
    log = []

    def at(i):
        log.append(i)
        return i
    v = [1, 2, 3]
    v[at(1)] += at(10)
    return v, log


def generate(n):
    for i in range(n):
        got = yield i
        if got:
            yield got * 10
    yield from "ab"
    return


def spreads(*args, a=0, **kw):
    return args, a, kw


class Point:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


def matches(v):
    match v:
        case 0 | 1:
            return "small"
        case int(n) if n > 100:
            return "large"
        case -5:
            return "minus"
        case [a, b]:
            return "pair", a, b
        case [a, *rest] if rest:
            return "list", a, rest
        case {"k": x, "l": [y, _]}:
            return "dict", x, y
        case p.sep:
            return "separator"
        case "s" as t:
            return "text", t
        case None:
            return "none"
        case Point(1, b=y):
            return "point", y
        case complex(real=r, imag=1.0):
            return "complex", r
        case _:
            return "other"


print(compare(1, 2, 3), compare(2, 2, 2), logic(), loops(1), loops(9))
print(unpacks(), evaluated_once(), list(generate(2)), fl(pi), p.basename("/a/b"))
g = generate(3)
print(next(g), next(g), list(g))
print(spreads(1, *[2, 3], *(4,), a=5, **{"b": 6}, c=7))
print([matches(v) for v in (1, -5, [1, 2], [1, 2, 3], {"k": 1, "l": [2, 3]}, "/", "s", None, 3 + 1j, 2.5,
                                 "ab", Point(1, 5), Point(2, 5), 500, {"k": 1})])
print([(i, j) for i in range(3) if i for j in range(i)], {i % 2 for i in range(5)},
      {k: v for k, v in zip("ab", (1, 2))}, sum(i * i for i in range(4)), [*"ab", *[1]], {**{"a": 1}, "b": 2})
v = list(range(10))
print(v[2:5], v[::3], v[-3:], v[:-8], v[1:8:2])
del v[0], v[0:2]
print(v, 7 // 2, 7 % 3, -7 // 2, 2 ** 10, 6 & 3, 6 | 1, 6 ^ 3, 1 << 4, 256 >> 2, ~5, -5, +5, 7 / 2)
print(0x1F, 0o17, 0b101, 1_000_000, 1e3, .5, 1.5e-3, 3j, True, None, ...)
print("a\tb\x41\u00e9\101\n" 'c', r"\n", b"\x01\xff", f"{1 + 1}{'x'}{{}}", "é", """three
lines""", "con"
      "tinued")
