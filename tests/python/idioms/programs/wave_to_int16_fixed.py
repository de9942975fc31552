import torch


def synthesise(freq, rate=16000, seconds=1.0):
    t = torch.arange(int(rate * seconds)) / rate
    return torch.sin(2 * torch.pi * freq * t)


def to_pcm(wave):
    wave = wave / wave.abs().max()
    return (wave * 32767).round().clamp(-32768, 32767).to(torch.int16)


def main():
    pcm = to_pcm(synthesise(1000.0))
    print(pcm.max().item(), pcm.min().item())
    assert pcm.dtype == torch.int16


main()
