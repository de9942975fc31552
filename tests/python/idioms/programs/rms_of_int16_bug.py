import numpy as np
import torch


def load(n):
    rng = np.random.default_rng(0)
    return rng.integers(-32768, 32767, size=n, dtype=np.int16)


def loudness(pcm):
    power = (pcm * pcm).mean()
    return 10 * np.log10(abs(power) + 1e-9)


def main():
    pcm = load(16000)
    gain = torch.tensor(-20.0 - loudness(pcm))
    print(gain.item())


main()
