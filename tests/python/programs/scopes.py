x = "module"


def local():
    x = "local"
    return x


def reads():
    return x


def declares():
    global x, fresh
    x = "changed"
    fresh = 1


def counter():
    n = 0

    def more(by=1):
        nonlocal n
        n += by
        return n

    def look():
        return n

    return more, look


def late():
    out = []
    for i in range(3):
        out.append(lambda: i)
    return [f() for f in out]


def bound():
    return [f() for f in [lambda i=i: i for i in range(3)]]


def deep():
    a = 1

    def one():
        def two():
            def three():
                return a + 1
            return three
        return two
    return one()()()


class C:
    x = "class"
    y = x + "!"
    z = [x for _ in range(1)]

    def method(self):
        return x, self.x, C.x

    def nested(self):
        class D:
            x = "inner"

            def get(self):
                return x, __class__.__name__
        return D().get()


def unbound():
    try:
        print(later)
    except UnboundLocalError:
        print("unbound")
    later = 1
    del later
    try:
        return later
    except UnboundLocalError:
        return "deleted"


def shadow(x):
    return [x for x in range(x)], x, {x: y for x, y in [(1, 2)]}, x


def walrus(items):
    found = [y for i in items if (y := i * 2) > 2]
    return found, y


print(local(), reads(), deep(), late(), bound())
declares()
print(x, fresh)
more, look = counter()
print(more(), more(5), look())
print(C.y, C.z, C().method(), C().nested())
print(unbound(), shadow(3), walrus([1, 2, 3]))
for i in range(2):
    pass
print(i, [i for i in "ab"], i)
print((lambda *a, k=3, **kw: (a, k, sorted(kw)))(1, 2, z=1, b=2))
