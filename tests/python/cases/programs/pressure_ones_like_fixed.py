import numpy as np


class Atmosphere:
    P_0 = 1013

    def pressure(self, h):
        """Pressure in hPa at the heights h, in km."""
        h = np.asarray(h)
        ret = np.ones_like(h, dtype=float) * self.P_0
        low = h <= 11
        high = h > 11
        ret[low] = 1013.25 * (288.15 / (288.15 + 6.5 * h[low])) ** (-34.1632 / 6.5)
        ret[high] = 226.32 * np.exp(-34.1632 * (h[high] - 11) / 216.65)
        return ret


def attenuation(heights, atmosphere):
    p = atmosphere.pressure(heights)
    return 0.01 * p / 1013.25


def main():
    heights = np.array([0, 2, 5, 12, 15])
    print(attenuation(heights, Atmosphere()))


if __name__ == "__main__":
    main()
