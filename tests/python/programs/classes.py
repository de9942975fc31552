from dataclasses import dataclass


class Base:
    made = 0

    def __init__(self, n=1, *rest, k=2, **more):
        self.n, self.rest, self.k, self.more = n, rest, k, more
        Base.made += 1

    def show(self):
        return f"{type(self).__name__}({self.n}, {self.rest}, {self.k}, {self.more})"

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def forward(self, x):
        return x

    @property
    def double(self):
        return self.n * 2

    @double.setter
    def double(self, v):
        self.n = v / 2

    @staticmethod
    def static(a, b):
        return a - b

    @classmethod
    def of(cls, n):
        return cls(n)


class Child(Base):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.child = True

    def forward(self, x, /, y=1, *, z=0):
        inner = super().forward(x)
        return [super(Child, self).forward(i) + y + z for i in [inner]]

    def later(self):
        def f():
            return super(Child, self).show()
        return f()


class Other:
    def show(self):
        return "other"


class Both(Child, Other):
    pass


def tagged(tag):
    def wrap(f):
        def inner(*args, **kwargs):
            return tag, f(*args, **kwargs)
        return inner
    return wrap


@tagged("a")
@tagged("b")
def plain(x=1):
    return x


@dataclass
class Config:
    size: int = 3
    name: str = "x"
    half: bool = False


class Items:
    def __init__(self):
        self.d = {}

    def __getitem__(self, k):
        return self.d.get(k, "none")

    def __setitem__(self, k, v):
        self.d[k] = v

    def __delitem__(self, k):
        del self.d[k]

    def __len__(self):
        return len(self.d)

    def __contains__(self, k):
        return k in self.d

    def __iter__(self):
        return iter(self.d)

    def __add__(self, o):
        return ("add", o)

    def __radd__(self, o):
        return ("radd", o)

    def __iadd__(self, o):
        self.d["+"] = o
        return self

    def __eq__(self, o):
        return "eq"

    def __bool__(self):
        return bool(self.d)


print(Base(1, 2, 3, k=4, z=5).show(), Child(7, *[8, 9], **{"k": 1, "m": 2}).show(), Base.made)
c = Child()
c.double = 10
print(c.n, c.double, Base.static(3, 1), Child.of(4).show(), c(3), c(3, 4, z=5), c.later())
print(Both(2).show(), plain(), plain(5), Config(size=5), Config("a", half=True))
i = Items()
print(bool(i), len(i))
i["a"] = 1
i["b"], i["c"] = 2, 3
del i["b"]
i += 9
i["a"] += 10
print(i["a"], i["zz"], "a" in i, "b" not in i, sorted(i), i + 1, 2 + i, i == 3, "yes" if i else "no")
del c.child
print(hasattr(c, "child"), hasattr(c, "n"))
