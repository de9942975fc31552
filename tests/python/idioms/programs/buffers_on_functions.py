import torch


def positions(n):
    """The numbers up to n, from a buffer that only grows."""
    if not hasattr(positions, "buffer"):
        positions.buffer = torch.LongTensor()
    if n > positions.buffer.numel():
        positions.buffer.resize_(n)
        torch.arange(n, out=positions.buffer)
    return positions.buffer[:n]


def slots(n):
    if not hasattr(slots, "buffer") or slots.buffer.numel() < n:
        slots.buffer = torch.ByteTensor(n)
    buffer = slots.buffer
    buffer.zero_()
    buffer[: n // 2].fill_(1)
    total = buffer.sum()
    buffer = buffer.cpu().float()
    return total, buffer


empty = torch.FloatTensor()
print(empty[:0].shape, torch.Tensor().dim())
for length in (3, 8, 5):
    print(positions(length), slots(length))
