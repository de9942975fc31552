"""Runs the assertions in cases/ about tensors on cuda. They hold on a GPU and on the simulated cuda:

    behaviour.py [--real] [WORD in the name]

--real: with PyTorch's own cuda."""
import sys
import traceback
import warnings

from watcher import simulate

import torch
from cases import CASES, REAL


def main():
    from cases import tensors, training, usage  # noqa: F401

    warnings.simplefilter("ignore")
    words = [a for a in sys.argv[1:] if a != "--real"]
    failed = count = 0
    for f in CASES:
        if words and words[0] not in f.__name__:
            continue
        count += 1
        try:
            torch.manual_seed(1)
            f()
        except BaseException:
            failed += 1
            print("FAILED", f.__name__)
            traceback.print_exc()
    print(f"{count} cases, {failed} failed")
    return failed > 0 or count == 0


if __name__ == "__main__":
    if REAL:
        sys.exit(main())
    with simulate.mode(None):
        code = main()
    sys.exit(code)
