# Random numbers and choices.
import _mc


def seed(a=None, version=2):
    pass


def random():
    return float(_mc.unknown())


def uniform(a=0.0, b=1.0):
    return float(_mc.unknown())


def gauss(a=0.0, b=1.0):
    return float(_mc.unknown())


def normalvariate(a=0.0, b=1.0):
    return float(_mc.unknown())


def randint(a, b):
    return int(_mc.unknown())


def randrange(start, stop=None, step=1):
    return int(_mc.unknown())


def getrandbits(k):
    return int(_mc.unknown())


def choice(seq):
    return seq[int(_mc.unknown())]


def shuffle(x):
    pass


def getstate():
    return _mc.unknown()


def setstate(state):
    pass


def sample(population, k, *, counts=None):
    return sorted(population)  # any of them, and how many is not known


def choices(population, weights=None, *, cum_weights=None, k=1):
    return sorted(population)


class Random:
    def __init__(self, x=None):
        pass

    def seed(self, a=None, version=2):
        pass

    def random(self):
        return float(_mc.unknown())

    def uniform(self, a=0.0, b=1.0):
        return float(_mc.unknown())

    def gauss(self, mu=0.0, sigma=1.0):
        return float(_mc.unknown())

    def normalvariate(self, mu=0.0, sigma=1.0):
        return float(_mc.unknown())

    def randint(self, a, b):
        return int(_mc.unknown())

    def randrange(self, start, stop=None, step=1):
        return int(_mc.unknown())

    def getrandbits(self, k):
        return int(_mc.unknown())

    def choice(self, seq):
        return seq[int(_mc.unknown())]

    def shuffle(self, x):
        pass

    def sample(self, population, k, *, counts=None):
        return sorted(population)

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        return sorted(population)


class SystemRandom(Random):
    pass
