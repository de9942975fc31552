import torch


def power(wave, window):
    spectrum = torch.stft(wave, 64, 16, window=window, return_complex=True)
    return spectrum.to(torch.float32).square().mean(-1)


def main():
    t = torch.arange(1024) / 8000
    for phase in (0.0, 1.0):
        print(power(torch.sin(2000 * t + phase), torch.hann_window(64)).max())


main()
