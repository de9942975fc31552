import torch


def tone(f):
    return (0.9 * 32767 * torch.sin(6.28 * f * torch.arange(8000) / 8000)).to(torch.int16)


def mixed(tracks):
    mix = torch.zeros(8000, dtype=torch.int16)
    for t in tracks:
        mix += t  # expect: byte-arithmetic warning
    return mix.float() / 32768


print(mixed([tone(440), tone(460)]).abs().max())
