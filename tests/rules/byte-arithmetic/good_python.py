import torch


def collate(batch):
    out = torch.zeros((len(batch), *batch[0].shape), dtype=torch.uint8)
    for i in range(len(batch)):
        out[i] += torch.from_numpy(batch[i])
    return out


def inverted(image):
    pixels = torch.randint(0, 256, (4, 4), dtype=torch.uint8)
    mask = (image > 0).byte()
    return 255 - pixels, 1 - mask


inverted(torch.randn(3))


def mixed(tracks):
    out = torch.zeros_like(tracks[0], dtype=torch.int32)
    for track in tracks:
        out += track
    return out


waves = [torch.sin(torch.arange(100) * f) * 0.8 for f in (0.1, 0.2)]
print(mixed([(wave * 32767).to(torch.int16) for wave in waves]).float() / 32768)
quiet = [(wave * 3000).to(torch.int16) for wave in waves]
print((quiet[0] + quiet[1]).float() / 32768)

# Two numbers below 16 in one byte.
codes = (torch.rand(4, 8) * 15).round().to(torch.uint8)
print(codes[:, ::2] | (codes[:, 1::2] * 16))
