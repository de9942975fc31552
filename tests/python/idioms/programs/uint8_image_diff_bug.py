import torch


def frame_difference(frames):
    return [(b - a).abs().float().mean() for a, b in zip(frames, frames[1:])]


video = [torch.randint(0, 256, (3, 16, 16), dtype=torch.uint8) for _ in range(4)]
print(max(frame_difference(video)))
