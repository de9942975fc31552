log = []


class Manager:
    def __init__(self, name, swallows=False):
        self.name, self.swallows = name, swallows

    def __enter__(self):
        log.append("enter " + self.name)
        return self

    def __exit__(self, kind, value, trace):
        log.append("exit " + self.name + " " + (kind.__name__ if kind else "-"))
        return self.swallows


def ways(how):
    for i in range(2):
        try:
            log.append("try")
            if how == "return":
                return "returned"
            if how == "break":
                break
            if how == "continue":
                continue
            if how == "raise":
                raise ValueError("v")
            if how == "other":
                raise KeyError("k")
        except ValueError as e:
            log.append("value " + str(e))
        except (TypeError, KeyError):
            log.append("key")
            raise
        else:
            log.append("else")
        finally:
            log.append("finally")
    else:
        log.append("ended")
    return "end"


def overrides():
    try:
        return 1
    finally:
        return 2


def nested():
    try:
        try:
            raise ValueError("inner")
        finally:
            log.append("inner finally")
    except ValueError as e:
        try:
            raise RuntimeError("second") from e
        except RuntimeError as r:
            return str(r)


def again():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            log.append("seen")
            raise
    except ArithmeticError as e:
        return type(e).__name__


def with_return():
    with Manager("a"), Manager("b") as b:
        return b.name


def with_raise(swallows):
    with Manager("outer", swallows):
        with Manager("inner"):
            raise IndexError("i")
    return "after"


def loops():
    out = []
    while True:
        with Manager("loop"):
            if len(out) == 2:
                break
            out.append(len(out))
            continue
    return out


def forgets():
    e = 1
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError:
        return "forgotten"


def checks(x):
    assert x > 1, "small " + str(x)
    return x


for how in ("return", "break", "continue", "raise", "none"):
    print(how, ways(how), log)
    log.clear()
try:
    ways("other")
except KeyError as k:
    print("outside", k, log)
log.clear()
print(overrides(), nested(), again(), log)
log.clear()
print(with_return(), with_raise(True), loops(), log)
log.clear()
try:
    with_raise(False)
except IndexError as e:
    print("raised", e, log)
print(forgets(), checks(2))
try:
    checks(1)
except AssertionError as e:
    print("assert", e)
try:
    import no_such_module
except ImportError:
    print("no module")
