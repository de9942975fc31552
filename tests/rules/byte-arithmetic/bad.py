import torch


def tone(f):
    return (0.9 * 32767 * torch.sin(6.28 * f * torch.arange(8000) / 8000)).to(torch.int16)


def mixed(tracks):
    mix = torch.zeros(8000, dtype=torch.int16)
    for t in tracks:
        mix += t  # expect: byte-arithmetic warning
    return mix.float() / 32768


print(mixed([tone(440), tone(460)]).abs().max())


def mixed(tracks):
    out = torch.zeros_like(tracks[0])
    for track in tracks:
        out += track  # expect: byte-arithmetic warning
    return out


waves = [torch.sin(torch.arange(100) * f) * 0.8 for f in (0.1, 0.2)]
print(mixed([(wave * 32767).to(torch.int16) for wave in waves]).float() / 32768)

# With a sign, the upper ones of them do not fit.
codes = (torch.rand(4, 8) * 15).round().to(torch.int8)
print(codes[:, ::2] | (codes[:, 1::2] * 16))  # expect: byte-arithmetic warning
