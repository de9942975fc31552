# A tensor whose sizes are those of another has as many dimensions as that.
import torch


def boundaries(lengths, start):
    first = torch.zeros(*lengths.shape).to(lengths.device)
    first += start
    return first, first + lengths


def masks(lengths: torch.Tensor):
    for begin, end in zip(*boundaries(lengths, torch.tensor(0))):
        yield begin, end


def concat(lens):
    lens = torch.concat([each.unsqueeze(0) for each in lens])
    starts, ends = boundaries((lens * 10).int(), 1)
    return [s + e for s, e in zip(starts, ends)]


print(concat([torch.tensor([0.5, 1.0]), torch.tensor([1.0, 0.2])]))
