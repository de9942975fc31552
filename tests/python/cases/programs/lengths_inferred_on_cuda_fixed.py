import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class RNNEncoder(nn.Module):
    def __init__(self, vocab, dim, pad_idx=0):
        super().__init__()
        self.pad_idx = pad_idx
        self.embedding = nn.Embedding(vocab, dim, padding_idx=pad_idx)
        self.rnn = nn.GRU(dim, dim, batch_first=True)

    def forward(self, xs):
        x_emb = self.embedding(xs)
        x_lens = xs.ne(self.pad_idx).int().sum(dim=1).cpu()
        packed = pack_padded_sequence(x_emb, x_lens, batch_first=True, enforce_sorted=False)
        out, hidden = self.rnn(packed)
        out, _ = pad_packed_sequence(out, batch_first=True)
        return out, hidden


class Seq2Seq(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = RNNEncoder(50, 16)

    def forward(self, xs):
        return self.encoder(xs)[1]


model = Seq2Seq().cuda()
xs = torch.tensor([[4, 7, 9, 0], [3, 2, 0, 0]]).cuda()
print(model(xs).shape)
