# Queues, as lists: whoever takes something gets what was put first.
import _mc


class Queue:
    def __init__(self, maxsize=0):
        self._items = []

    def put(self, item, block=True, timeout=None):
        self._items.append(item)

    put_nowait = put

    def get(self, block=True, timeout=None):
        return sorted(self._items)[int(_mc.unknown())]

    get_nowait = get

    def empty(self):
        return bool(_mc.unknown())

    def full(self):
        return bool(_mc.unknown())

    def qsize(self):
        return int(_mc.unknown())

    def task_done(self):
        pass

    def join(self):
        pass


class LifoQueue(Queue):
    pass


class PriorityQueue(Queue):
    pass


class SimpleQueue(Queue):
    pass


class Empty(Exception):
    pass


class Full(Exception):
    pass
