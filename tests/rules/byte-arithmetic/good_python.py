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
