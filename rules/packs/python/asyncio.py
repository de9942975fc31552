# Coroutines: what they do is done when they are called.
import _mc

from queue import LifoQueue, PriorityQueue, Queue


def run(main, *, debug=None):
    return main


def gather(*awaitables, return_exceptions=False):
    return list(awaitables)


def create_task(awaitable, *, name=None):
    return awaitable


ensure_future = create_task


def wait_for(awaitable, timeout=None):
    return awaitable


def shield(awaitable):
    return awaitable


def sleep(delay, result=None):
    return result


def to_thread(function, *args, **kwargs):
    return function(*args, **kwargs)


class Lock:
    def __enter__(self):
        return True

    def __exit__(self, *exception):
        pass

    def __aenter__(self):
        return True

    def __aexit__(self, *exception):
        pass


class Semaphore(Lock):
    def __init__(self, value=1):
        pass
