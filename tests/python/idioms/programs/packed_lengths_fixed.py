import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def collate(samples):
    seqs = [torch.tensor(s) for s in samples]
    lengths = torch.tensor([len(s) for s in seqs])
    return nn.utils.rnn.pad_sequence(seqs, batch_first=True), lengths


class Reader(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.gru = nn.GRU(dim, dim, batch_first=True)

    def forward(self, ids, lengths):
        packed = pack_padded_sequence(self.embed(ids), lengths.cpu(), batch_first=True, enforce_sorted=False)
        out, h = self.gru(packed)
        return pad_packed_sequence(out, batch_first=True)[0], h


def main():
    batch = collate([[1, 2, 3], [4, 5], [6]])
    ids, lengths = (t.to("cuda") for t in batch)
    print(Reader(10, 4).cuda()(ids, lengths)[0].shape)


main()
