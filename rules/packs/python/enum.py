# Named constants. What the body of a class binds becomes instances of the class, which have a name and a value.
import _mc


class Enum:
    _member_map_ = {}

    def __new__(cls, value):
        for member in cls:
            if member.value == value:
                return member
        raise ValueError(value)

    def __eq__(self, other):  # one that is also a text or a number equals its value
        return self is other or self.value == other


class IntEnum(Enum):
    pass


class StrEnum(Enum):
    pass


class Flag(Enum):
    pass


class IntFlag(Enum):
    pass


def auto():
    return int(_mc.unknown())


def unique(enumeration):
    return enumeration
