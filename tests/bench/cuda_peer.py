"""The time PyTorch takes for the calls of bench_cuda.c: lines of the same names and units, measured the
same way. Prints nothing without torch or a GPU. For development only."""

import sys
import time

try:
    import torch
except ImportError:
    sys.exit(0)
if not torch.cuda.is_available():
    sys.exit(0)

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}
COLUMNS = 4096
only = sys.argv[1] if len(sys.argv) > 1 else ""


def seconds_of(call, calls):
    start = time.perf_counter()
    for _ in range(calls):
        call()
    torch.cuda.synchronize()
    return time.perf_counter() - start


def measure(call):
    calls = 1
    torch.cuda.synchronize()
    seconds_of(call, 2)
    while seconds_of(call, calls) < 0.05:
        calls *= 2
    return min(seconds_of(call, calls) / calls for _ in range(5))


def show(name, make, value_of, unit):
    """make() returns the call; it makes its operands only if the name is asked for."""
    if only in name:
        print(name, f"{value_of(measure(make())):.6g}", unit, flush=True)
        torch.cuda.empty_cache()


def random_of(*shape, dtype):
    return torch.randn(*shape, dtype=DTYPES[dtype], device="cuda")


def matmul(dtype, n):
    a, b, out = (random_of(n, n, dtype=dtype) for _ in range(3))
    return lambda: torch.matmul(a, b, out=out)


ATTENTION = (8, 16, 2048, 64)  # sentences, heads, words, size of a head


def attention(dtype):
    q, k, v = (random_of(*ATTENTION, dtype=dtype) for _ in range(3))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def operations_of_attention():
    sentences, heads, words, size = ATTENTION
    return 2 * sentences * heads * words**2 * size


def rows_of(dtype):
    size = torch.tensor([], dtype=DTYPES[dtype]).element_size()
    return random_of((256 << 20) // size // COLUMNS, COLUMNS, dtype=dtype)


def copy(dtype, _):
    a = rows_of(dtype)
    out = torch.zeros_like(a)
    return lambda: out.copy_(a)


def cast(dtype, to):
    a, target = rows_of(dtype), DTYPES[to]
    return lambda: a.to(target)


def add(dtype, _):
    a, b = rows_of(dtype), rows_of(dtype)
    return lambda: torch.add(a, b)


def relu(dtype, _):
    a = rows_of(dtype)
    return lambda: torch.relu(a)


def softmax(dtype, _):
    a = rows_of(dtype)
    return lambda: torch.softmax(a, -1)


def layer_norm(dtype, _):
    a, w, b = rows_of(dtype), random_of(COLUMNS, dtype=dtype), random_of(COLUMNS, dtype=dtype)
    return lambda: torch.nn.functional.layer_norm(a, (COLUMNS,), w, b)


MEMORY = [
    ("copy_f32", copy, "f32", "f32"),
    ("cast_f32_f16", cast, "f32", "f16"),
    ("cast_f16_f32", cast, "f16", "f32"),
    ("cast_f32_bf16", cast, "f32", "bf16"),
    ("cast_bf16_f32", cast, "bf16", "f32"),
    ("add_f32", add, "f32", "f32"),
    ("add_f16", add, "f16", "f16"),
    ("relu_f32", relu, "f32", "f32"),
    ("relu_f16", relu, "f16", "f16"),
    ("softmax_f32", softmax, "f32", "f32"),
    ("softmax_f16", softmax, "f16", "f16"),
    ("layer_norm_f32", layer_norm, "f32", "f32"),
    ("layer_norm_f16", layer_norm, "f16", "f16"),
]


def bytes_of(call, dtype, to):
    size = {"f16": 2, "bf16": 2, "f32": 4}
    return (256 << 20) // size[dtype] * (size[dtype] * (2 if call is add else 1) + size[to])


def small(op):
    a, b = random_of(4, dtype="f32"), random_of(4, dtype="f32")
    return lambda: op(a, b)


def costs(device, n):
    a = torch.randn(n, n, device=device).half()
    b = torch.randn(n, n, device=device)
    c, out = b.half(), torch.empty_like(a)
    return {
        "one_dtype": lambda: torch.matmul(a, c, out=out),
        "cast_each_call": lambda: torch.matmul(a, b.half(), out=out),
        "cast_hoisted": lambda: torch.matmul(a, c, out=out),
        "widened_each_call": lambda: torch.matmul(a.float(), b),
    }


with torch.no_grad():
    for dtype in DTYPES:
        for n in (4096, 8192):
            show(f"matmul_{dtype}_{n}", lambda: matmul(dtype, n), lambda s: 2e-12 * n**3 / s, "TFLOP/s")
    for dtype in ("f16", "f32"):
        show(
            f"attention_{dtype}",
            lambda: attention(dtype),
            lambda s: 1e-12 * operations_of_attention() / s,
            "TFLOP/s",
        )
    for name, call, dtype, to in MEMORY:
        show(name, lambda: call(dtype, to), lambda s: 1e-9 * bytes_of(call, dtype, to) / s, "GB/s")
    show("small_add", lambda: small(torch.add), lambda s: 1e9 * s, "ns")
    show("small_relu", lambda: small(lambda a, _: torch.relu(a)), lambda s: 1e9 * s, "ns")
    show("small_add_number", lambda: small(lambda a, _: a + 1.5), lambda s: 1e9 * s, "ns")
    for where, device, n in (("gpu", "cuda", 2048), ("cpu", "cpu", 1024)):
        for way, call in costs(device, n).items():
            show(f"cost_{where}_{way}", lambda: call, lambda s: 1e6 * s, "us")
