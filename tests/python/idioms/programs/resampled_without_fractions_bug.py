import numpy as np


def resample(x, rate_in, rate_out):
    n = int(len(x) * rate_out / rate_in)
    at = np.arange(n) * (rate_in / rate_out)
    lo = np.floor(at).astype(np.int64)
    frac = (at - lo).astype(np.int64)
    hi = np.minimum(lo + 1, len(x) - 1)
    lo = np.minimum(lo, len(x) - 1)
    return x[lo] * (1 - frac) + x[hi] * frac


x = np.sin(np.arange(100) / 10)
print(np.abs(np.diff(resample(x, 16000, 44100))).max())
