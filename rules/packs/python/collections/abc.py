class Iterable:
    pass


class Iterator(Iterable):
    pass


class Sequence(Iterable):
    pass


class Mapping(Iterable):
    pass


class MutableMapping(Mapping):
    pass


class Callable:
    pass
