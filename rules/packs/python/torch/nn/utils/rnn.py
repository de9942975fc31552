# Sequences of different lengths in one tensor.
import _mc
import torch


class PackedSequence:
    def __init__(self, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        self.data = data
        self.batch_sizes = batch_sizes
        self.sorted_indices = sorted_indices
        self.unsorted_indices = unsorted_indices

    def _with(self, data):
        return PackedSequence(data, self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def to(self, *args, **kwargs):
        return self._with(self.data.to(*args, **kwargs))

    def cuda(self, *args, **kwargs):
        return self._with(self.data.cuda(*args, **kwargs))

    def cpu(self):
        return self._with(self.data.cpu())

    def half(self):
        return self._with(self.data.half())

    def float(self):
        return self._with(self.data.float())

    def double(self):
        return self._with(self.data.double())

    def __iter__(self):
        return iter((self.data, self.batch_sizes, self.sorted_indices, self.unsorted_indices))


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    if isinstance(lengths, torch.Tensor):
        torch._pack_lengths(lengths)
    sizes = torch.empty(input.size(0), dtype=torch.int64)
    return PackedSequence(input.flatten(0, 1), sizes)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    return sequence.data.unsqueeze(0), torch.empty(sequence.data.size(0), dtype=torch.int64)


def pack_sequence(sequences, enforce_sorted=True):
    return PackedSequence(torch.cat(sequences), torch.empty(len(sequences), dtype=torch.int64))


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    first = sequences[0]  # the others become as long as the longest
    size = (len(sequences), int(_mc.unknown())) + tuple(first.shape[1:])
    return torch.empty(size, dtype=first.dtype, device=first.device)


def unpack_sequence(packed_sequences):
    return [packed_sequences.data]


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    return list(padded_sequences)
