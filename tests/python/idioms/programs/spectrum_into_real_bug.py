import torch


def lowpass(signal, keep):
    spectrum = torch.fft.fft(signal)
    spectrum[..., keep:-keep] = 0
    return torch.fft.ifft(spectrum).real


def phase_shift(signal, shift):
    spectrum = torch.fft.fft(signal)
    k = torch.fft.fftfreq(signal.shape[-1])
    rotated = spectrum * torch.exp(-2j * torch.pi * k * shift)
    out = torch.zeros_like(signal)
    out[:] = rotated
    return torch.fft.ifft(out).real


x = torch.sin(torch.linspace(0, 6.28, 64))
print(phase_shift(lowpass(x, 8), 4)[:4].tolist())
