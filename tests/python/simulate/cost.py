"""What the simulation adds to an operation of a program that uses no cuda, beyond a mode that only calls it.

    cost.py [--most MICROSECONDS]

A machine that is slower may take longer: as long again as the mode alone."""
import sys
import time

from watcher import simulate, tensors

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode


class Plain(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


x, w = torch.ones(4, 4), torch.ones(4, 4)


def step():
    y = x @ w
    y = F.relu(y + 1)
    y = F.layer_norm(y, (4,))
    y[0] = y[1]
    return y.sum().to(torch.float64), torch.zeros(2), y.device


ROUNDS, STEPS, OPERATIONS = 100, 10, 11


def seconds(mode):
    with mode:
        step()
        begin = time.thread_time()
        for _ in range(STEPS):
            step()
        return time.thread_time() - begin


def microseconds(*modes):
    """The least of each, in turns and in short pieces of CPU time: what else the machine does matters little."""
    rounds = [[seconds(mode()) for mode in modes] for _ in range(ROUNDS)]
    return [min(of) / STEPS / OPERATIONS * 1e6 for of in zip(*rounds)]


class Counting(TorchFunctionMode):
    calls = 0

    def __torch_function__(self, func, types, args=(), kwargs=None):
        Counting.calls += 1
        return func(*args, **(kwargs or {}))


def reads_are_free():
    """To say which tensors an operation reads, none of their properties goes through the simulation."""
    numbers = tensors.Tensors()
    with Counting():
        with tensors.Unseen():
            numbers.describe(x)
        seen = Counting.calls
        torch.add(x, w)
    return seen == 0 and Counting.calls == 1


def main(args):
    if not reads_are_free():
        sys.exit("modes see what is only looked at, or nothing afterwards")
    torch.set_num_threads(1)
    plain, simulated = microseconds(Plain, lambda: simulate.mode(None))
    added = simulated - plain
    print(f"{plain:.1f} us for an operation with a mode, {simulated:.1f} with the simulation: {added:.1f} more")
    return len(args) > 1 and added > max(float(args[1]), plain)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
