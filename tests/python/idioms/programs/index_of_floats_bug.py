import torch


def resample(signal, factor):
    count = int(signal.numel() * factor)
    where = torch.linspace(0, signal.numel() - 1, count)
    return signal[where.floor()]


signal = torch.randn(100)
print(resample(signal, 0.5).shape)
