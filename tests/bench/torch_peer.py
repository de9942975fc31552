"""PyTorch's figures for the contests of bench_runtime.c.

Called with the seconds to spend on each contest and the contests' names; prints a line
"name TAB nanoseconds" for each that this PyTorch supports. Prints nothing without torch.
"""

import ctypes
import sys
import time

DTYPES = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def median_ns(turn, seconds, calls=1):
    for _ in range(2):
        turn()
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter_ns()
        turn()
        times.append((time.perf_counter_ns() - start) / calls)
    times.sort()
    return times[len(times) // 2]


def set_threads(torch, word):
    """PyTorch's own threads, and OpenBLAS's, which it leaves alone."""
    count = int(word[1:])
    torch.set_num_threads(count)
    try:
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(count)
    except OSError:
        pass


def filled(torch, shape, dtype):
    count = 1
    for n in shape:
        count *= n
    x = torch.linspace(-0.5, 0.5, count).reshape(shape)
    return x.to(getattr(torch, DTYPES[dtype]))


def matmul(torch, dtype, size, threads):
    set_threads(torch, threads)
    a, b = (filled(torch, (int(size), int(size)), dtype) for _ in range(2))
    out = torch.empty_like(a)
    return lambda: torch.matmul(a, b, out=out), 1


def add(torch, dtype, size, threads, where):
    set_threads(torch, threads)
    a, b = (filled(torch, (int(size[:-1]) << 20,), dtype) for _ in range(2))
    out = torch.zeros_like(a)
    return (lambda: torch.add(a, b, out=out)) if where == "into" else (lambda: a + b), 1


def cast(torch, dtype, to, size, threads):
    set_threads(torch, threads)
    a = filled(torch, (int(size[:-1]) << 20,), dtype)
    target = getattr(torch, DTYPES[to])
    return lambda: a.to(target), 1


def small(torch, op):
    set_threads(torch, "t1")
    a, b = (filled(torch, (4,), "f32") for _ in range(2))
    square = filled(torch, (2, 2), "f32")
    call = {
        "add": lambda: torch.add(a, b),
        "mul_number": lambda: torch.mul(a, 0.5),
        "relu": lambda: torch.relu(a),
        "matmul": lambda: torch.matmul(square, square),
        "view": lambda: a.view(2, 2),
    }[op]

    def turn():
        for _ in range(200):
            call()

    return turn, 200


KINDS = {"matmul": matmul, "add": add, "cast": cast, "small": small}


def main():
    try:
        import torch
    except ImportError:
        return
    seconds = float(sys.argv[1])
    for name in sys.argv[2:]:
        kind, *words = name.split()
        try:
            turn, calls = KINDS[kind](torch, *words)
            print(name, median_ns(turn, seconds, calls), sep="\t", flush=True)
        except RuntimeError:
            pass  # an op this version lacks for that dtype


main()
