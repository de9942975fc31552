import torch


def load_pcm(n):
    return torch.randint(-32768, 32768, (n,), dtype=torch.int16)


def energy(wave, window=400):
    frames = wave.unfold(0, window, window // 2)
    power = frames * frames
    return power.float().mean(dim=-1)


def voice_activity(wave, threshold=1e6):
    return energy(wave) > threshold


print(voice_activity(load_pcm(16000)).sum().item())
