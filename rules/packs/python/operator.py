# Operators as functions.
def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def matmul(a, b):
    return a @ b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def neg(a):
    return -a


def pos(a):
    return +a


def inv(a):
    return ~a


invert = inv


def not_(a):
    return not a


def abs(a):
    return a.__abs__()


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def gt(a, b):
    return a > b


def ge(a, b):
    return a >= b


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def iadd(a, b):
    a += b
    return a


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def itruediv(a, b):
    a /= b
    return a


def itemgetter(item, *items):
    if len(items):
        return lambda of: tuple([of[i] for i in (item, *items)])
    return lambda of: of[item]


def attrgetter(attribute, *attributes):
    if len(attributes):
        return lambda of: tuple([getattr(of, name) for name in (attribute, *attributes)])
    return lambda of: getattr(of, attribute)


def methodcaller(name, *args, **kwargs):
    return lambda of: getattr(of, name)(*args, **kwargs)
