# Heaps, as lists: which is the smallest is not known.
import _mc


def heappush(heap, item):
    heap.append(item)
    heap.sort()


def heappop(heap):
    return heap[int(_mc.unknown())]


def heappushpop(heap, item):
    heappush(heap, item)
    return heappop(heap)


heapreplace = heappushpop


def heapify(x):
    x.sort()


def nlargest(n, iterable, key=None):
    return sorted(iterable)


nsmallest = nlargest


def merge(*iterables, key=None, reverse=False):
    items = []
    for iterable in iterables:
        items.extend(iterable)
    return sorted(items)
